import { threadCpuUsage } from 'node:process';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';
import { GrowingDocument } from './markdown-document.ts';

const size = 40_000;
const fill = (piece: string, length = size) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
function steps(line: (depth: number) => string) {
  let text = '';
  for (let depth = 1; text.length < size; depth++) text += line(depth);
  return text;
}

const cases: Record<string, string> = {
  quotes: fill('>'),
  'spaced quotes': fill('> '),
  'lists in a line': fill('- '),
  'numbers in a line': fill('1. '),
  'quotes and lists': fill('- > '),
  'quote and list turns': fill('> - '),
  'indented lists': steps((depth) => `${'  '.repeat(depth)}- a\n`),
  'deepening quotes': steps((depth) => `${'> '.repeat(depth)}a\n`),
  backticks: fill('`'),
  'backtick runs': steps((depth) => `${'`'.repeat(depth)} a `),
  brackets: fill('['),
  'bracket pairs': '['.repeat(size / 2) + 'a'.repeat(2) + ']'.repeat(size / 2),
  'open links': fill('[a]('),
  'open pictures': fill('![a]('),
  references: fill('[a]['),
  emphasis: fill('*a **a '),
  'mixed emphasis': fill('**a_b*c__'),
  underscores: fill('_a'),
  stars: fill('*'),
  'star pairs': fill('a*'),
  tildes: fill('~~a ~'),
  angles: fill('<'),
  tags: fill('<a '),
  comments: fill('<!--'),
  entities: fill('&#'),
  addresses: fill('http://a.'),
  mails: fill('a.b-c_'),
  'mail signs': fill('a@'),
  'wide table': `${fill('|a')}\n${fill('|-')}\n${fill('|a\n')}`,
  'long table': `|a|\n|-|\n${fill('|a|\n')}`,
  definitions: fill('[a]:'),
  'open title': `[a]: /x "${fill('b')}`,
  items: fill('- a\n\n'),
  fences: fill('```\n'),
  'open fence': `\`\`\`js\n${fill('a\n')}`,
  rules: fill('---\n'),
  'blank lines': fill('\n'),
  blanks: `${fill(' ')}x`,
  'carriage returns': fill('\r\n'),
  dollars: fill('$'),
  'dollar pairs': fill('$a$ '),
  'double dollars': fill('$$a'),
  'double dollar lines': fill('$$\n'),
  'open formulas': fill('\\(a'),
  'open display formulas': fill('\\[a\n'),
  money: fill('$5 and '),
  'formulas in emphasis': fill('*$a*$ '),
  'words in dollars': `$$${fill('ab')}$$`,
  'blank lines and a formula': `${fill('a\n \n')}$$x$$`,
  underlines: `a\n${fill('=')}`,
};

test.each(Object.entries(cases))(
  'reads, streams and shows 40 kB of %s in under a second',
  (_name, text) => {
    const startUsage = threadCpuUsage();
    const html = renderToStaticMarkup(<Markdown text={text} />);
    const growing = new GrowingDocument();
    growing.read(text.slice(0, -10));
    growing.read(text);
    // CPU time of this thread, so that other load on the machine does not count.
    const { user, system } = threadCpuUsage(startUsage);
    expect((user + system) / 1000).toBeLessThan(1_000);
    expect(html.startsWith('<div class="md')).toBe(true);
  },
  20_000,
);

test('shows content beyond the bounds as text', () => {
  const html = renderToStaticMarkup(<Markdown text={fill('>', 200)} />);
  expect(html.match(/<blockquote dir="auto">/g)).toHaveLength(10);
  expect(html).toContain('&gt;&gt;&gt;');
});
