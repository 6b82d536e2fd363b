import { describe, expect, test } from 'vitest';
import { sanitizeName, validName } from './user-name.ts';

describe('sanitizeName', () => {
  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['  Ada \t\n Lovelace ', 'Ada Lovelace'],
    ['Ada\u0000\u001b[31m', 'Ada [31m'],
    ['\u202eecalevoL', 'ecalevoL'],
    ['a\ud800b', 'a b'],
    ['<b>Mallory</b>', '<b>Mallory</b>'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩‍💻', '👩‍💻'],
    ['Ada\u200b Love\u2066lace', 'Ada Love lace'],
    ['A\u200dda', 'A da'],
    ['\u3164', null],
    ['', null],
    [' \u0007 ', null],
    ['\u200b\u200d', null],
    [null, null],
    [undefined, null],
  ])('%j is %j', (text, name) => expect(sanitizeName(text)).toBe(name));

  test('cuts at 80 characters and splits none of them', () => {
    expect(sanitizeName('x'.repeat(500))).toHaveLength(80);
    expect([...(sanitizeName('😀'.repeat(100)) ?? '')]).toEqual(Array(80).fill('😀'));
    expect(sanitizeName(`${'x'.repeat(79)}   y`)).toBe('x'.repeat(79));
  });
});

const surround = (character: string) => `a${character}b`;

describe('validName', () => {
  test.each([
    ['  Ada Lovelace \n', 'Ada Lovelace'],
    ['x', 'x'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['名前', '名前'],
    ['😀'.repeat(80), '😀'.repeat(80)],
    ['👩‍🚀 ❤️‍🔥', '👩‍🚀 ❤️‍🔥'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['ක්\u200dය', 'ක්\u200dය'],
    ['Z\u0301oe', 'Z\u0301oe'],
    ['\ufeff Ada', 'Ada'],
  ])('keeps %j', (text, name) => expect(validName(text)).toBe(name));

  test.each([
    '',
    '  ',
    'a\0b',
    'a\nb',
    'a\tb',
    'a\u2028b',
    'a\ud800',
    'a\ue000',
    '\u200b',
    '\u202e',
    ...['\u00ad', '\u061c', '\u180e', '\u200b', '\u200e', '\u200f', '\u202a', '\u202e'].map(surround),
    ...['\u2060', '\u2064', '\u2066', '\u2069', '\ufeff', '\u{e0041}', '\u3164', '\uffa0'].map(surround),
    'a\u200cb',
    'a\u200db',
    '1\u200db',
    '\u200dab',
    '名\u200d\u200d前',
    'x'.repeat(81),
    '😀'.repeat(81),
  ])('refuses %j', (text) => expect(validName(text)).toBeNull());
});
