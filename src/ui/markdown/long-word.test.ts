import { expect, test } from 'vitest';
import { hasLongWord } from './long-word.ts';

test('only runs without a space are long words', () => {
  expect(hasLongWord('')).toBe(false);
  expect(hasLongWord('word '.repeat(10_000))).toBe(false);
  expect(hasLongWord('a'.repeat(400))).toBe(false);
  expect(hasLongWord(`${'a'.repeat(300)}\n${'a'.repeat(300)}`)).toBe(false);
  expect(hasLongWord(`before ${'a'.repeat(401)} after`)).toBe(true);
});
