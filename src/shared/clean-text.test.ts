import { expect, test } from 'vitest';
import { cleanLine, cutText, shortened } from './clean-text.ts';

test('does not cut a text inside a character', () => {
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(cutText('ab😀', 4)).toBe('ab😀');
  expect(cutText('a b', 2)).toBe('a ');
});

test('a line has no line break, no space at its ends and nothing that PostgreSQL refuses', () => {
  expect(cleanLine(' one\r\n\ttwo\0 \ud83d', 20)).toBe('one two \ufffd');
  expect(cleanLine('one two', 4)).toBe('one');
  expect(cleanLine('abc😀', 4)).toBe('abc');
});

test('a shortened text has at most the given number of characters, none of them cut', () => {
  const forty = 'x'.repeat(40);
  expect(shortened(forty, 40)).toBe(forty);
  expect(shortened(`${forty}y`, 40)).toBe(`${'x'.repeat(39)}…`);
  expect(shortened(`${'x'.repeat(38)} and more`, 40)).toBe(`${'x'.repeat(38)}…`);
  expect(shortened('😀'.repeat(40), 40)).toBe('😀'.repeat(40));
  expect(shortened('😀'.repeat(41), 40)).toBe(`${'😀'.repeat(39)}…`);
});
