import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';
import { SourcesOfText } from './markdown-parts.ts';

const sources = {
  urls: ['https://a.example/one', 'https://b.example/two'],
  idOf: (number: number) => `s${number}`,
};

const render = (text: string, textSources: typeof sources | null = sources) =>
  renderToStaticMarkup(
    <SourcesOfText value={textSources}>
      <Markdown text={text} />
    </SourcesOfText>,
  );

/** Returns the targets of the marks in a text, in order. */
const marksOf = (html: string) =>
  [...html.matchAll(/<a href="#(s\d+)"[^>]*>\[\d+\]<\/a>/g)].map(([, id]) => id);

test.each([
  ['a number of a source', 'High [1].', ['s1']],
  ['several in a row', 'High [1][2], low [2].', ['s1', 's2', 's2']],
  ['in a list, a table and bold', '- one [1]\n\n**two [2]**\n\n| a |\n|---|\n| x [1] |', ['s1', 's2', 's1']],
  ['a number without a source', 'High [0] [3] [12] [007].', []],
  ['in code and in a link', '`[1]` and [see [1] there](https://c.example/)', []],
  [
    'after a link to a source',
    'As [b.example](https://b.example/two) says, [c](https://c.example/).',
    ['s2'],
  ],
])('marks: %s', (_, text, marks) => {
  expect(marksOf(render(text))).toEqual(marks);
});

test('without sources a number is text', () => {
  expect(render('High [1].', null)).toBe('<div class="md"><p>High [1].</p></div>');
});
