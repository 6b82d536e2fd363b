import { expect, test } from 'vitest';
import { relocatePassage, replaceRange } from './passage.ts';
import { passageAt, textBlocksOf } from './text-blocks.ts';

const text = '# Title\n\nFirst *part* here.\n\n- one\n- two\n\n## Next\n\nLast line.\n';

test('returns the position of each block in the Markdown', () => {
  const blocks = textBlocksOf(text);
  expect(blocks.map(({ from, to }) => text.slice(from, to))).toEqual([
    '# Title',
    'First *part* here.',
    '- one\n- two',
    '## Next',
    'Last line.',
  ]);
  expect(blocks.map(({ level }) => level)).toEqual([3, 0, 0, 4, 0]);
});

test('finds a passage again after the text around it has changed, unless it occurs more than once', () => {
  expect(relocatePassage('a b c', 2, 'b')).toEqual({ from: 2, to: 3 });
  expect(relocatePassage('new a b c', 2, 'b')).toEqual({ from: 6, to: 7 });
  expect(relocatePassage('b and b', 3, 'b')).toBeNull();
  expect(relocatePassage('a c', 2, 'b')).toBeNull();
  expect(passageAt(textBlocksOf(text), { from: 9, to: 20 })).toMatchObject({ first: 1, last: 1 });
  expect(replaceRange('a b c', { from: 2, to: 3 }, 'x')).toBe('a x c');
});
