import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test.each([
  ['a **bold** and *light* word, `code` and ~~old~~', 'a bold and light word, code and old'],
  ['# Title\n\nSee [the page](https://example.com) &amp; more.', 'Title\nSee the page & more.'],
  ['- one\n- two\n  - three\n\n1. four', 'one\ntwo\nthree\nfour'],
  ['| a | b |\n| - | - |\n| 1 | **2** |', 'a, b\n1, 2'],
  ['```ts\nconst x = 1;\n```\n\n> quoted\n\n---\n\nend', 'const x = 1;\nquoted\nend'],
  ['![a cat](https://example.com/c.png) one  \ntwo', 'a cat one\ntwo'],
  ['- [x] done\n- [ ] open', 'done\nopen'],
  ['', ''],
])('%j is read as %j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});
