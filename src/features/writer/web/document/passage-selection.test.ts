import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { sourceMap } from '#ui/markdown/source-map.ts';
import { selectedPassage, trimWhitespace } from './passage-selection.ts';
import { textBlocksOf } from './text-blocks.ts';

/** Returns the visible text of each block. */
const visibleTexts = (text: string) =>
  textBlocksOf(text).map(({ token, from }) => sourceMap(token, text, from).visible);

/** Selects from `words` in block `first` to `until` in block `last`; returns the passage (`part`) and the new text. */
function select(text: string, first: number, words: string, last = first, until = words, nth = 0) {
  const visible = visibleTexts(text);
  let from = -1;
  for (let found = 0; found <= nth; found++) from = visible[first]!.indexOf(words, from + 1);
  const to = visible[last]!.indexOf(until, first === last ? from : 0) + until.length - 1;
  const start = trimWhitespace(visible[first]!, {
    at: first,
    first: from,
    last: first === last ? to : from + words.length - 1,
  })!;
  const stop = trimWhitespace(visible[last]!, { at: last, first: first === last ? from : 0, last: to })!;
  const passage = selectedPassage(text, textBlocksOf(text), start, stop)!;
  return { part: passage.text.slice(passage.from, passage.to), text: passage.text };
}

test.each<[name: string, text: string, words: string, part: string]>([
  ['plain words', 'One two three.', 'two', 'two'],
  ['spaces at the edges', 'written in ink from memory', ' in ink ', 'in ink'],
  ['bold words', 'Some **bold words** here.', 'bold words', 'bold words'],
  ['a part of bold words', 'Some **bold words** here.', 'bold', 'bold'],
  ['across the edge of bold words', 'Some **bold** here.', 'bold here', '**bold** here'],
  ['around bold words', 'Some **bold** here.', 'Some bold here', 'Some **bold** here'],
  ['the words of a link', 'See [the map](https://example.com) now.', 'the map', 'the map'],
  ['across a link', 'See [the map](https://example.com) now.', 'map now', '[map](https://example.com) now'],
  ['a heading', '## The next part\n', 'next part', 'next part'],
  ['a list', '- one\n- two **x** y\n- three', 'x y', '**x** y'],
  ['words that occur in two list items', '- one a\n- two a', 'two a', 'two a'],
  ['a quotation', '> one *two\n> three* four', 'three four', '*three* four'],
  ['an escape and a character reference', 'a \\* b &amp; c', '* b & c', '\\* b &amp; c'],
  ['code', 'Run `npm start` first.', 'npm', 'npm'],
  ['a table', '| a | b |\n|---|---|\n| x \\| y | z |', 'x | y', 'x \\| y'],
  ['a code block', '```js\nlet js = 1;\n```', 'js', 'js'],
  ['nested marks', 'A **very *old* house** here', 'old', 'old'],
  ['the words behind nested marks', 'A **very *old* house** here', 'old house here', '***old* house** here'],
])('selects exactly the marked words: %s', (_, text, words, part) => {
  expect(select(text, 0, words).part).toBe(part);
});

test('selects the marked occurrence of a repeated phrase', () => {
  const text = 'The bridge and **the bridge** and the bridge.';
  const second = select(text, 0, 'the bridge', 0, 'the bridge', 1);
  expect(second).toEqual({ text, part: 'the bridge' });
  expect(textBlocksOf(text)[0]).toMatchObject({ from: 0 });
  const passage = selectedPassage(text, textBlocksOf(text), { at: 0, first: 30 }, { at: 0, last: 39 });
  expect(passage).toMatchObject({ from: 34, to: 44 });
});

test('selects the marked words of two blocks without the rest of the blocks', () => {
  const text = '# Title\n\nFirst **part of** this.\n\n- one *two three* four\n- five\n';
  expect(select(text, 1, 'of this.', 2, 'one two')).toEqual({
    part: '**of** this.\n\n- one *two*',
    text: '# Title\n\nFirst **part** **of** this.\n\n- one *two* *three* four\n- five\n',
  });
});

test('inserts no marks inside a word or around a part of a code block', () => {
  expect(select('An **unbelie*vab*le** story', 0, 'vable story').part).toBe('**unbelie*vab*le** story');
  expect(select('Text.\n\n```\nlet a;\nlet b;\n```\n', 0, 'Text', 1, 'a;').part).toBe(
    'Text.\n\n```\nlet a;\nlet b;\n```',
  );
});

test('treats a selection of spaces as empty', () => {
  expect(trimWhitespace('a  b', { at: 0, first: 1, last: 2 })).toBeNull();
});

const word = fc.constantFrom('ash', 'birch', 'cedar', 'elm', 'fir', 'a', 'É', '橋');
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const span = fc.oneof(
  words,
  words.map((inner) => `**${inner}**`),
  words.map((inner) => `*${inner}*`),
  words.map((inner) => `~~${inner}~~`),
  words.map((inner) => `[${inner}](https://example.com/a)`),
  words.map((inner) => `\`${inner}\``),
  fc.tuple(words, words).map(([outer, inner]) => `**${outer} *${inner}* ${outer}**`),
);
const line = fc.array(span, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const block = fc.oneof(
  line,
  line.map((content) => `## ${content}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((list) => list.map((item) => `- ${item}`).join('\n')),
  fc.tuple(line, line).map(([one, two]) => `> ${one}\n> ${two}`),
);
const document = fc.array(block, { minLength: 1, maxLength: 3 }).map((list) => list.join('\n\n'));
const normalizeSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

test('keeps the visible text and selects the marked words, extended to whole words, for any selection', () => {
  fc.assert(
    fc.property(document, fc.nat(), fc.nat(), (text, one, two) => {
      const visible = visibleTexts(text);
      const positions = visible.flatMap((blockText, at) =>
        blockText.split('').flatMap((unit, index) => (/\s/.test(unit) ? [] : [{ at, index }])),
      );
      const [a, b] = [one % positions.length, two % positions.length].sort((x, y) => x - y);
      const [start, stop] = [positions[a!]!, positions[b!]!];
      const passage = selectedPassage(
        text,
        textBlocksOf(text),
        { at: start.at, first: start.index },
        { at: stop.at, last: stop.index },
      )!;
      const { text: newText, from, to } = passage;
      expect(normalizeSpaces(visibleTexts(newText).join(' '))).toBe(normalizeSpaces(visible.join(' ')));
      const before = visible.slice(0, start.at).join('') + visible[start.at]!.slice(0, start.index);
      const after = visible[stop.at]!.slice(stop.index + 1) + visible.slice(stop.at + 1).join('');
      const allVisible = visible.join('');
      const marked = allVisible.slice(before.length, allVisible.length - after.length);
      // As one line of text, without the marks of lists and quotations.
      const selectedText = markdownToText(newText.slice(from, to).replace(/\n(?:- |> |## |\n)*/g, ' '));
      const [head] = /\S*$/.exec(visible[start.at]!.slice(0, start.index))!;
      const [tail] = /^\S*/.exec(visible[stop.at]!.slice(stop.index + 1))!;
      const withoutSpaces = (text: string) => text.replace(/\s+/g, '');
      const [all, part] = [withoutSpaces(selectedText), withoutSpaces(marked)];
      const matches = Array.from({ length: all.length - part.length + 1 }, (_, at) => at).some(
        (at) =>
          all.startsWith(part, at) &&
          head!.endsWith(all.slice(0, at)) &&
          tail!.startsWith(all.slice(at + part.length)),
      );
      expect(matches, `${all} for ${part}`).toBe(true);
    }),
    { numRuns: 400 },
  );
});
