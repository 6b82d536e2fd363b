import { expect, test } from 'vitest';
import { searchPattern } from './highlight-words.ts';

const found = (query: string, text: string) =>
  [...text.matchAll(searchPattern(query) ?? /$^/g)].map(([word]) => word);

test.each([
  ['light', 'A Lighthouse has light, a twilight none.', ['Light', 'light']],
  ['src/main.ts', 'See src/main.ts.', ['src', 'main', 'ts']],
  ['a.*', 'a b', ['a']],
  ['灯台', '古い灯台です', ['灯台']],
  ['…', 'x', []],
])('finds %j in %j', (query, text, words) => expect(found(query, text)).toEqual(words));
