import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanInput, cleanInputLine, codePointLength } from './input-text.ts';

describe('text that a person typed', () => {
  test.each([
    ['a\0b\u001b[31mc', 'ab[31mc'],
    ['\u202egnp.exe\u202c', 'gnp.exe'],
    ['a\ud800b\udc00', 'ab'],
    ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['  x\t y \n', 'x\t y'],
    ['نص عربي', 'نص عربي'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['\ufeffx\u200b', 'x'],
  ])('%j becomes %j', (typed, kept) => {
    expect(cleanInput(typed)).toBe(kept);
  });

  test('a line has single blanks and no break', () => {
    expect(cleanInputLine(' a \n\t b\u00a0 c ')).toBe('a b c');
  });

  test('what is clean stays as it is, and can be stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const kept = cleanInput(text);
        expect(cleanInput(kept)).toBe(kept);
        expect(kept.isWellFormed() && !kept.includes('\0')).toBe(true);
      }),
    );
  });

  test('length counts code points', () => {
    expect([codePointLength(''), codePointLength('aé😀')]).toEqual([0, 3]);
  });
});
