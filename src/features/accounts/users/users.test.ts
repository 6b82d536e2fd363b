import { describe, expect, test } from 'vitest';
import { canonicalMailbox, cleanName } from './service.server.ts';

describe('canonicalMailbox', () => {
  test.each([
    ['a.b+1@gmail.com', 'ab@gmail.com'],
    ['ab@gmail.com', 'ab@gmail.com'],
    ['ab@googlemail.com', 'ab@gmail.com'],
    ['a.b.+x+y@googlemail.com', 'ab@gmail.com'],
    ['x+1@example.com', 'x@example.com'],
    ['x+2@example.com', 'x@example.com'],
    ['a.b@example.com', 'a.b@example.com'],
    ['+tag@example.com', '+tag@example.com'],
  ])('%s is %s', (email, mailbox) => expect(canonicalMailbox(email)).toBe(mailbox));
});

describe('cleanName', () => {
  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['  Ada \t\n Lovelace ', 'Ada Lovelace'],
    ['Ada\u0000\u001b[31m', 'Ada [31m'],
    ['\u202eecalevoL', 'ecalevoL'],
    ['a\ud800b', 'a b'],
    ['<b>Mallory</b>', '<b>Mallory</b>'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👩‍💻', '👩‍💻'],
    ['', null],
    [' \u0007 ', null],
    ['\u200b\u200d', null],
    [null, null],
    [undefined, null],
  ])('%j is %j', (text, name) => expect(cleanName(text)).toBe(name));

  test('cuts at 80 characters, and none in two', () => {
    expect(cleanName('x'.repeat(500))).toHaveLength(80);
    expect([...(cleanName('😀'.repeat(100)) ?? '')]).toEqual(Array(80).fill('😀'));
    expect(cleanName(`${'x'.repeat(79)}   y`)).toBe('x'.repeat(79));
  });
});
