import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { countWords } from './word-count.ts';

test.each([
  ['', 0],
  ['one two three', 3],
  ['# A heading\n\nA **bold** word, an *e*mphasis', 7],
  ['- one\n- two\n\n1. three\n2) four', 4],
  ['> quoted words - and a dash', 5],
  ['[a link](https://example.com/a-b "the title") here', 3],
  ['![alt text](https://example.com/x.png)', 2],
  ['[ref]: https://example.com/one/two\n\n[text][ref]', 1],
  ['before\n\n```js\nconst a = 1;\n```\n\nafter', 2],
  ['| one | two |\n| --- | --- |\n| 3 | four five |', 5],
  ['don’t split well-known words', 4],
  ['Ένα κείμενο, где слова', 4],
  ['我喜欢写作。', 3],
])('%j has %i words', (text, words) => {
  expect(countWords(text)).toBe(words);
});

test('an open fence hides what follows, as Markdown reads it', () => {
  expect(countWords('a b\n```\nc d e')).toBe(2);
});

test('blanks and marks around words change nothing', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      expect(countWords(words.join(' '))).toBe(words.length);
      expect(countWords(words.map((each) => `**${each}**`).join('\n\n'))).toBe(words.length);
    }),
  );
});

test('hostile texts take no time that grows faster than they do', () => {
  for (const text of ['['.repeat(200_000), '](('.repeat(70_000), '`'.repeat(200_000), '1.'.repeat(100_000)]) {
    expect(cpuTime(() => void countWords(text))).toBeLessThan(500);
  }
});
