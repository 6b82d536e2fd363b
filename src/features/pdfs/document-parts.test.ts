import { expect, test } from 'vitest';
import { estimateTokens } from '#shared/token-estimate.ts';
import { splitIntoParts } from './document-parts.server.ts';

const countTokens = (part: { text: string }[]) =>
  part.reduce((sum, { text }) => sum + estimateTokens(text), 0);

test.each([
  ['Japanese', '渋谷駅の混雑は朝の八時に最も激しい。'.repeat(200)],
  ['English', 'The river rose by two metres in a night.\n'.repeat(200)],
  ['characters of two UTF-16 units', '𠮷野家👋'.repeat(500)],
])('splits a page in %s that is longer than a part, without losing text', (_, long) => {
  const pages = [
    { page: 1, text: 'A short one.' },
    { page: 2, text: long },
    { page: 3, text: 'The end.' },
  ];
  const parts = splitIntoParts(pages, 500);
  expect(Math.max(...parts.map(countTokens))).toBeLessThanOrEqual(500);
  expect(parts.length).toBeLessThan(3 + (2 * estimateTokens(long)) / 500);
  for (const { page, text } of pages) {
    const pieces = parts.flat().filter((piece) => piece.page === page);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  }
  expect(parts.flat().map(({ page }) => page)).toEqual(
    parts
      .flat()
      .map(({ page }) => page)
      .sort((a, b) => a - b),
  );
});

test('splits a page between words where it has gaps', () => {
  const parts = splitIntoParts([{ page: 1, text: 'seven letters '.repeat(400) }], 500);
  expect(parts.length).toBeGreaterThan(2);
  for (const { text } of parts.flat()) expect(text).toMatch(/^(seven|letters) .* $/s);
});

test('puts several short pages into one part', () => {
  const pages = Array.from({ length: 10 }, (_, at) => ({ page: at + 1, text: 'word '.repeat(100) }));
  expect(splitIntoParts(pages, 500).map((part) => part.map(({ page }) => page))).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
    [10],
  ]);
});
