import { expect, test } from 'vitest';
import { markdownToText } from './markdown-to-text.ts';

test.each([
  ['# A **b**\n\n*c* `d` [e](https://a.example)', 'A b\n\nc d e'],
  ['- a\n- b\n  - c\n\ntext', '- a\n- b\n  - c\n\ntext'],
  ['3. a\n4. b', '3. a\n4. b'],
  ['- [x] a\n- [ ] b', '- [x] a\n- [ ] b'],
  ['| a | **b** |\n|---|---|\n| c | d |', 'a\tb\nc\td'],
  ['```js\nlet a = `x`;\n```\n\n> q', 'let a = `x`;\n\nq'],
  ['a &amp; b<br>c ![p](https://a.example/p)', 'a & b\nc p'],
  ['so $x^2$:\n\n$$\ny\n$$', 'so x^2:\n\ny'],
  ['<div>raw</div>', '<div>raw</div>'],
  ['', ''],
])('%j becomes %j', (text, plain) => expect(markdownToText(text)).toBe(plain));
