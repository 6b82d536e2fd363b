import { describe, expect, test } from 'vitest';
import { nameOf } from './contract.ts';

describe('nameOf', () => {
  test.each([
    ['  Ada Lovelace \n', 'Ada Lovelace'],
    ['x', 'x'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['名前', '名前'],
    ['😀'.repeat(80), '😀'.repeat(80)],
    ['👩‍🚀', '👩‍🚀'],
  ])('keeps %j', (text, name) => expect(nameOf(text)).toBe(name));

  test.each([
    '',
    '  ',
    'a\0b',
    'a\nb',
    'a\tb',
    'a\u2028b',
    'a\ud800',
    '\u200b',
    '\u202e',
    'x'.repeat(81),
    '😀'.repeat(81),
  ])('refuses %j', (text) => expect(nameOf(text)).toBeNull());
});
