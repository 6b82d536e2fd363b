import { expect, test } from 'vitest';
import { withLocale } from '#platform/locale.server.ts';
import { joinSentences } from './join-sentences.ts';

test.each([
  ['en', ['One.', '', 'Two.'], 'One. Two.'],
  ['ar', ['واحد.', 'اثنان.'], 'واحد. اثنان.'],
  ['ja', ['一つ。', null, '二つ。'], '一つ。二つ。'],
  ['zh-Hans', ['一。', false, '二。'], '一。二。'],
  ['de', [], ''],
] as const)('in %s %j become %j', (language, sentences, joined) => {
  expect(withLocale(language, () => joinSentences(...sentences))).toBe(joined);
});
