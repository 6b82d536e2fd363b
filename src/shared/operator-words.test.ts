import { expect, test } from 'vitest';
import { withLocale } from '#platform/locale.server.ts';
import { localizedWords } from './operator-words.ts';

test.each([
  ['de', 'the same everywhere', 'the same everywhere'],
  ['de', { en: 'users', de: 'Nutzer' }, 'Nutzer'],
  ['ja', { en: 'users', de: 'Nutzer' }, 'users'],
  ['en', { en: 'users', de: 'Nutzer' }, 'users'],
] as const)('in %s %j is %s', (language, words, expected) => {
  expect(withLocale(language, () => localizedWords(words))).toBe(expected);
});
