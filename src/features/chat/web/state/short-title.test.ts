import { expect, test } from 'vitest';
import { shortTitle } from './short-title.ts';

test('a title in a toast has 40 characters at most, and no half ones', () => {
  const forty = 'x'.repeat(40);
  expect(shortTitle(forty)).toBe(forty);
  expect(shortTitle(`${forty}y`)).toBe(`${'x'.repeat(39)}…`);
  expect(shortTitle(`${'x'.repeat(38)} and more`)).toBe(`${'x'.repeat(38)}…`);
  expect(shortTitle('😀'.repeat(41))).toBe(`${'😀'.repeat(39)}…`);
});
