import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { sourceMap } from '#ui/markdown/source-map.ts';
import { selectedPassage, trimBlanks } from './passage-selection.ts';
import { textBlocksOf } from './text-blocks.ts';

/** Returns the visible text of each block. */
const readings = (text: string) =>
  textBlocksOf(text).map(({ token, from }) => sourceMap(token, text, from).visible);

/** Selects from `words` in block `first` to `until` in block `last`; returns the passage (`part`) and the new text. */
function select(text: string, first: number, words: string, last = first, until = words, nth = 0) {
  const visible = readings(text);
  let from = -1;
  for (let found = 0; found <= nth; found++) from = visible[first]!.indexOf(words, from + 1);
  const to = visible[last]!.indexOf(until, first === last ? from : 0) + until.length - 1;
  const start = trimBlanks(visible[first]!, {
    at: first,
    first: from,
    last: first === last ? to : from + words.length - 1,
  })!;
  const stop = trimBlanks(visible[last]!, { at: last, first: first === last ? from : 0, last: to })!;
  const passage = selectedPassage(text, textBlocksOf(text), start, stop)!;
  return { part: passage.text.slice(passage.from, passage.to), text: passage.text };
}

test.each<[name: string, text: string, words: string, part: string]>([
  ['plain words', 'One two three.', 'two', 'two'],
  ['blanks at the edges', 'written in ink from memory', ' in ink ', 'in ink'],
  ['bold words', 'Some **bold words** here.', 'bold words', 'bold words'],
  ['a part of bold words', 'Some **bold words** here.', 'bold', 'bold'],
  ['over the edge of bold words', 'Some **bold** here.', 'bold here', '**bold** here'],
  ['around bold words', 'Some **bold** here.', 'Some bold here', 'Some **bold** here'],
  ['the words of a link', 'See [the map](https://example.com) now.', 'the map', 'the map'],
  ['over a link', 'See [the map](https://example.com) now.', 'map now', '[map](https://example.com) now'],
  ['a heading', '## The next part\n', 'next part', 'next part'],
  ['a list', '- one\n- two **x** y\n- three', 'x y', '**x** y'],
  ['words of a second item that the first has too', '- one a\n- two a', 'two a', 'two a'],
  ['a quotation', '> one *two\n> three* four', 'three four', '*three* four'],
  ['an escape and a reference', 'a \\* b &amp; c', '* b & c', '\\* b &amp; c'],
  ['code', 'Run `npm start` first.', 'npm', 'npm'],
  ['a table', '| a | b |\n|---|---|\n| x \\| y | z |', 'x | y', 'x \\| y'],
  ['a block of code', '```js\nlet js = 1;\n```', 'js', 'js'],
  ['nested marks', 'A **very *old* house** here', 'old', 'old'],
  ['the words behind nested marks', 'A **very *old* house** here', 'old house here', '***old* house** here'],
])('takes exactly what is marked: %s', (_, text, words, part) => {
  expect(select(text, 0, words).part).toBe(part);
});

test('takes the one that is marked of a phrase that is there twice', () => {
  const text = 'The bridge and **the bridge** and the bridge.';
  const second = select(text, 0, 'the bridge', 0, 'the bridge', 1);
  expect(second).toEqual({ text, part: 'the bridge' });
  expect(textBlocksOf(text)[0]).toMatchObject({ from: 0 });
  const passage = selectedPassage(text, textBlocksOf(text), { at: 0, first: 30 }, { at: 0, last: 39 });
  expect(passage).toMatchObject({ from: 34, to: 44 });
});

test('takes the marked words of two blocks, and leaves the rest of both', () => {
  const text = '# Title\n\nFirst **part of** this.\n\n- one *two three* four\n- five\n';
  expect(select(text, 1, 'of this.', 2, 'one two')).toEqual({
    part: '**of** this.\n\n- one *two*',
    text: '# Title\n\nFirst **part** **of** this.\n\n- one *two* *three* four\n- five\n',
  });
});

test('writes no marks inside of a word, and none around a part of code', () => {
  expect(select('An **unbelie*vab*le** story', 0, 'vable story').part).toBe('**unbelie*vab*le** story');
  expect(select('Text.\n\n```\nlet a;\nlet b;\n```\n', 0, 'Text', 1, 'a;').part).toBe(
    'Text.\n\n```\nlet a;\nlet b;\n```',
  );
});

test('knows of blanks that nothing is selected', () => {
  expect(trimBlanks('a  b', { at: 0, first: 1, last: 2 })).toBeNull();
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
const inWords = (text: string) => text.replace(/\s+/g, ' ').trim();

test('whatever is marked: the text reads the same, and the passage is the marked words, whole words at its ends', () => {
  fc.assert(
    fc.property(document, fc.nat(), fc.nat(), (text, one, two) => {
      const visible = readings(text);
      const spots = visible.flatMap((reading, at) =>
        reading.split('').flatMap((unit, index) => (/\s/.test(unit) ? [] : [{ at, index }])),
      );
      const [a, b] = [one % spots.length, two % spots.length].sort((x, y) => x - y);
      const [start, stop] = [spots[a!]!, spots[b!]!];
      const passage = selectedPassage(
        text,
        textBlocksOf(text),
        { at: start.at, first: start.index },
        { at: stop.at, last: stop.index },
      )!;
      const { text: written, from, to } = passage;
      expect(inWords(readings(written).join(' '))).toBe(inWords(visible.join(' ')));
      const before = visible.slice(0, start.at).join('') + visible[start.at]!.slice(0, start.index);
      const after = visible[stop.at]!.slice(stop.index + 1) + visible.slice(stop.at + 1).join('');
      const whole = visible.join('');
      const marked = whole.slice(before.length, whole.length - after.length);
      // As one line of text, without the marks of lists and quotations.
      const taken = markdownToText(written.slice(from, to).replace(/\n(?:- |> |## |\n)*/g, ' '));
      const [head] = /\S*$/.exec(visible[start.at]!.slice(0, start.index))!;
      const [tail] = /^\S*/.exec(visible[stop.at]!.slice(stop.index + 1))!;
      const closed = (text: string) => text.replace(/\s+/g, '');
      const [all, part] = [closed(taken), closed(marked)];
      const fits = Array.from({ length: all.length - part.length + 1 }, (_, at) => at).some(
        (at) =>
          all.startsWith(part, at) &&
          head!.endsWith(all.slice(0, at)) &&
          tail!.startsWith(all.slice(at + part.length)),
      );
      expect(fits, `${all} for ${part}`).toBe(true);
    }),
    { numRuns: 400 },
  );
});
