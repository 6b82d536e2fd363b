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
  ])('%j becomes %j', (typed, cleaned) => {
    expect(cleanInput(typed)).toBe(cleaned);
  });

  test('a line has single spaces and no line break', () => {
    expect(cleanInputLine(' a \n\t b\u00a0 c ')).toBe('a b c');
  });

  test('clean text stays unchanged and can be stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const cleaned = cleanInput(text);
        expect(cleanInput(cleaned)).toBe(cleaned);
        expect(cleaned.isWellFormed() && !cleaned.includes('\0')).toBe(true);
      }),
    );
  });

  test('length counts code points', () => {
    expect([codePointLength(''), codePointLength('aé😀')]).toEqual([0, 3]);
  });
});
