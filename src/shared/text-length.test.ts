import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withLocale } from '#platform/locale.server.ts';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { formatTextLength, textLength } from './text-length.ts';

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
  expect(textLength(text).words).toBe(words);
});

test.each([
  ['我喜欢写作。', '6 characters'],
  ['# 标题\n\n- 第一，**重点**\n- [链接](https://example.com/a)\n\n```\ncode here\n```', '9 characters'],
  ['今日はChatGPTを使う。', '14 characters'],
  // Other scripts, or a few such characters among other words, count as words, whatever the page's language.
  ['What does 你好世界 mean in this English text?', '9 words'],
  ['오늘은 날씨가 좋다', '3 words'],
  ['Ein Satz auf Deutsch.', '4 words'],
  ['2026 + 1', '2 words'],
  ['', '0 words'],
])('%j is measured as %s', (text, measured) => {
  expect(formatTextLength(textLength(text))).toBe(measured);
});

test('formats the unit in the language of the reader', () => {
  const [english, japanese] = [textLength('One two.'), textLength('今日は晴れ。')];
  const format = (language: 'ja' | 'zh-Hans' | 'de') =>
    withLocale(language, () => [english, japanese].map(formatTextLength));
  expect(format('ja')).toEqual(['2語', '6文字']);
  expect(format('zh-Hans')).toEqual(['2 词', '6 字']);
  expect(format('de')).toEqual(['2 Wörter', '6 Zeichen']);
});

test('an open fence hides the rest, as in Markdown', () => {
  expect(textLength('a b\n```\nc d e').words).toBe(2);
});

test('spaces and marks around words change nothing', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      expect(textLength(words.join(' ')).words).toBe(words.length);
      expect(textLength(words.map((each) => `**${each}**`).join('\n\n')).words).toBe(words.length);
    }),
  );
});

test('takes linear time for hostile texts', () => {
  const quickest = (text: string) => Math.min(...[1, 2, 3].map(() => cpuTime(() => void textLength(text))));
  for (const [piece, count] of [
    ['世界', 100_000],
    ['世a ', 60_000],
    ['[', 200_000],
    [']((', 70_000],
    ['`', 200_000],
    ['1.', 100_000],
  ] as const) {
    // In linear time, 16 times the length takes 16 times as long; in quadratic time, 256 times. The bound in between
    // leaves room for memory that only the longer text needs to allocate.
    const [longTime, shortTime] = [quickest(piece.repeat(count)), quickest(piece.repeat(count / 16))];
    expect(longTime, piece).toBeLessThan(80 * Math.max(shortTime, 2));
  }
});
