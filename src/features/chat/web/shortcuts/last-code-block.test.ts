import { expect, test } from 'vitest';
import { LiveText } from '#features/generations/web/live-text.ts';
import { lastCode } from './last-code-block.ts';

const reply = (content: string) => ({ role: 'assistant' as const, content });

test.each([
  ['none', 'no code here, `inline` only', null],
  ['a fence', 'See\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nafter', 'const a = 1;\n\nconst b = 2;'],
  ['the last of two', '```\none\n```\n\n```\ntwo\n```', 'two'],
  ['one in a list', '1. first\n\n   ```sh\n   ls -l\n   ```\n2. second', 'ls -l'],
  ['one in a quote', '> ```\n> quoted\n> ```', 'quoted'],
  ['an indented one', 'text\n\n    indented\n', 'indented'],
  ['a fence that is still open', 'See\n\n```js\nlet x', 'let x'],
  ['a fence inside a longer fence', '````md\n```js\ninner\n```\n````', '```js\ninner\n```'],
])('finds the last code block of a reply: %s', (_, content, code) => {
  expect(lastCode([reply(content)])).toBe(code);
});

test('uses the newest reply that has code and ignores questions', () => {
  const question = { role: 'user' as const, content: '```\nmine\n```' };
  const turns = [reply('```\nold\n```'), question, reply('no code')];
  expect(lastCode(turns)).toBe('old');
  expect(lastCode([...turns, { ...reply(''), live: new LiveText('```\narriving') }])).toBe('arriving');
  expect(lastCode([question])).toBeNull();
});
