import { expect, test } from 'vitest';
import { paperOf } from './paper.ts';

test.each([
  ['en-US', 'letter'],
  ['en', 'letter'],
  ['es-US', 'letter'],
  ['en-GB', 'a4'],
  ['de', 'a4'],
  ['*', 'a4'],
  ['', 'a4'],
  [undefined, 'a4'],
])('a browser in %s prints on %s', (tag, paper) => {
  expect(paperOf(tag)).toBe(paper);
});
