import { expect, it } from 'vitest';
import { scenesOf } from '#shared/fountain/scenes.ts';
import { applyProposal, type RewriteRequest } from './contract.ts';

const FILM = 'Title: A\n\nINT. A - DAY\n\nOne.\n\nINT. B - DAY\n\nTwo.\n\nINT. C - DAY\n\nThree.\n';

function rewriteRequest(scene: number): RewriteRequest {
  const { from, to, heading } = scenesOf(FILM)[scene]!;
  return { heading, scene, block: null, instruction: '', before: FILM.slice(from, to), from, to };
}

it('replaces only the passage that the proposal was written for', () => {
  expect(applyProposal(FILM, rewriteRequest(1), 'INT. B - NIGHT\n\nDark.\n\n')).toBe(
    FILM.replace('INT. B - DAY\n\nTwo.', 'INT. B - NIGHT\n\nDark.'),
  );
  expect(applyProposal(FILM, rewriteRequest(2), 'INT. C - NIGHT')).toBe(
    FILM.replace('INT. C - DAY\n\nThree.', 'INT. C - NIGHT'),
  );
});

it('finds a passage that has moved, and returns null if it no longer exists', () => {
  const later = FILM.replace('One.', 'One, and a half.');
  expect(applyProposal(later, rewriteRequest(1), 'INT. X')).toBe(
    later.replace('INT. B - DAY\n\nTwo.', 'INT. X'),
  );
  expect(applyProposal(FILM.replace('Two.', '2.'), rewriteRequest(1), 'INT. X')).toBeNull();
});
