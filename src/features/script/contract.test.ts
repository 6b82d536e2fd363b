import { expect, it } from 'vitest';
import { scenesOf } from '#shared/fountain/scenes.ts';
import { applyProposal, type RewriteRequest } from './contract.ts';

const FILM = 'Title: A\n\nINT. A - DAY\n\nOne.\n\nINT. B - DAY\n\nTwo.\n\nINT. C - DAY\n\nThree.\n';

function asked(scene: number): RewriteRequest {
  const { from, to, heading } = scenesOf(FILM)[scene]!;
  return { heading, scene, block: null, instruction: '', before: FILM.slice(from, to), from, to };
}

it('puts a proposal in the place of what it replaces, and touches nothing else', () => {
  expect(applyProposal(FILM, asked(1), 'INT. B - NIGHT\n\nDark.\n\n')).toBe(
    FILM.replace('INT. B - DAY\n\nTwo.', 'INT. B - NIGHT\n\nDark.'),
  );
  expect(applyProposal(FILM, asked(2), 'INT. C - NIGHT')).toBe(
    FILM.replace('INT. C - DAY\n\nThree.', 'INT. C - NIGHT'),
  );
});

it('finds what has moved, and takes nothing for what is gone', () => {
  const later = FILM.replace('One.', 'One, and a half.');
  expect(applyProposal(later, asked(1), 'INT. X')).toBe(later.replace('INT. B - DAY\n\nTwo.', 'INT. X'));
  expect(applyProposal(FILM.replace('Two.', '2.'), asked(1), 'INT. X')).toBeNull();
});
