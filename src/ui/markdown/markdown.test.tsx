import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { withLocale } from '#platform/locale.server.ts';
import { sampled } from '#tests/support/soak.ts';
import hostile from './hostile-markdown.fixture.json' with { type: 'json' };
import { Markdown } from './markdown.tsx';
import { MemoBlock } from './markdown-blocks.tsx';
import { type Block, GrowingDocument, readDocument } from './markdown-document.ts';

const render = (text: string, streaming = false) =>
  renderToStaticMarkup(<Markdown text={text} streaming={streaming} />);

const renderBlocks = (blocks: Block[]) =>
  renderToStaticMarkup(
    blocks.map(({ token, definitions }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: as in the component
      <MemoBlock key={at} token={token} definitions={definitions} open={false} />
    )),
  );

const visible = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

interface Tag {
  name: string;
  attributes: [name: string, value: string][];
}

/** Parses tags of React's own markup, in which every value is quoted and escaped. */
function tagsOf(html: string): Tag[] {
  const tags = html.matchAll(/<([a-z][a-z\d]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gi);
  return [...tags].map(([, name, attributes]) => ({
    name: name!.toLowerCase(),
    attributes: [...attributes!.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map((match) => [
      match[1]!,
      match[2] ?? '',
    ]),
  }));
}

const harmlessTags = new Set(
  'div p a strong em del code br span button pre ul ol li blockquote hr h3 h4 h5 h6 section table thead tbody tr th td sup bdi details summary'.split(
    ' ',
  ),
);
const harmlessAttributes = new Set(
  'class href target rel tabindex start type aria-hidden aria-label aria-pressed role title open dir data-bare data-host'.split(
    ' ',
  ),
);

function expectHarmless(html: string) {
  for (const { name, attributes } of tagsOf(html)) {
    expect(harmlessTags, name).toContain(name);
    for (const [attribute, value] of attributes) {
      expect(harmlessAttributes, attribute).toContain(attribute.toLowerCase());
      if (attribute === 'href') expect(value).toMatch(/^(?:https?:\/\/|mailto:)/);
    }
    if (name === 'a')
      expect(Object.fromEntries(attributes)).toMatchObject({ rel: 'noopener noreferrer', target: '_blank' });
  }
  // Every other `<` must have been escaped.
  expect(tagsOf(html)).toHaveLength(html.split('<').length - 1 - html.split('</').length + 1);
}

describe('hostile texts', () => {
  const vectors = Object.entries({ ...hostile.auto, ...hostile.exec });
  test('contains all vectors', () => expect(vectors).toHaveLength(51));
  test.each(vectors)('%s runs and loads nothing', (_name, text) => {
    expectHarmless(render(text));
    for (let end = 1; end <= text.length; end++) expectHarmless(render(text.slice(0, end), true));
  });
  test('an image becomes a link that names its host', () => {
    expect(render(hostile.auto.img)).toContain('>x, image from evil.example</a>');
    expect(withLocale('de', () => render(hostile.auto.img))).toContain('>x, Bild von evil.example</a>');
    expect(render(hostile.auto.imglink)).toMatch(
      /<a href="https:\/\/ok\.example\/"[^>]*><span>x, image from evil/,
    );
  });
  test('any text is harmless', () => {
    const pieces = fc.constantFrom(
      ...'<a href="x" onclick="y">|<script>|</|![|](javascript:|)|[x](|data:text/html,|&#106;|`|*|\n|\n\n|> |- |<!--|-->|"'.split(
        '|',
      ),
      'id="currentUser"',
      '<style>',
      'https://a.b/?q="',
    );
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme' })), { maxLength: 30 });
    fc.assert(
      fc.property(text, (parts) => expectHarmless(render(parts.join('')))),
      { numRuns: 100 },
    );
  });
});

describe('elements', () => {
  test.each([
    ['**a** *b* ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>'],
    ['# a', '<h3 class="md-h1">a</h3>'],
    ['### a\n#### b\n## c', '<h3 class="md-h3">a</h3><h4 class="md-h4">b</h4><h3 class="md-h2">c</h3>'],
    ['- a\n- b', '<ul dir="auto"><li>a</li><li>b</li></ul>'],
    ['3. a\n4. b', '<ol start="3" dir="auto"><li>a</li><li>b</li></ol>'],
    ['> a', '<blockquote dir="auto"><p>a</p></blockquote>'],
    ['a &amp; b &copy; &#58; &bogus;', '<p>a &amp; b © : &amp;bogus;</p>'],
    ['`&amp;`', '<p><code>&amp;amp;</code></p>'],
    ['a<br>b <i>c</i>', '<p>a<br/>b &lt;i&gt;c&lt;/i&gt;</p>'],
    ['[a](/pricing) [b](#x)', '<p>a b</p>'],
  ])('%j', (text, html) => expect(render(text)).toBe(`<div class="md">${html}</div>`));

  test('a link opens another site', () => {
    const link =
      '<a href="https://a.example/b" target="_blank" rel="noopener noreferrer" data-host="a.example">x</a>';
    expect(render('[x](https://a.example/b)')).toContain(link);
    expect(render('[x][r]\n\n[r]: https://a.example/b')).toContain(link);
    expect(render('me@a.example')).toContain('href="mailto:me@a.example"');
  });
  test('a link that could deceive is a button, which no browser follows', () => {
    const html = render('[the bank](https://bank.example@evil.example/)');
    expect(html).toContain(
      '<button type="button" class="md-ask" title="https://bank.example@evil.example/" data-host="evil.example">the bank</button>',
    );
    expect(html).not.toContain('href');
  });
  test('footnotes are notes, also without a blank line before them', () => {
    const html = render(
      'One.[^1] Two.[^x]\n[^1]: First *note*\nwith more\n[^x]: Second\n\n    and more\n\nThen.',
    );
    expect(html).toBe(
      '<div class="md"><p>One.<sup class="md-note-mark">1</sup> Two.<sup class="md-note-mark">x</sup></p>' +
        '<div class="md-note"><sup>1</sup><div><p>First <em>note</em>\nwith more</p></div></div>' +
        '<div class="md-note"><sup>x</sup><div><p>Second</p><p>and more</p></div></div><p>Then.</p></div>',
    );
    expect(render('a [^a-z] b `[^1]`')).toBe('<div class="md"><p>a [^a-z] b <code>[^1]</code></p></div>');
  });
  test('isolates characters that change the direction of text', () => {
    expect(render('a \u202eb **c** &#x202e;d')).toBe(
      '<div class="md"><p><bdi>a \u202eb </bdi><strong>c</strong><bdi> \u202ed</bdi></p></div>',
    );
  });
  test('details become a disclosure whose text is Markdown; no other HTML does', () => {
    const text = '<details>\n<summary>More **here**</summary>\n\n- one\n\n<b>two</b>\n\n</details>\n\nAfter.';
    expect(render(text)).toBe(
      '<div class="md"><details class="md-details"><summary>More <strong>here</strong></summary>' +
        '<ul dir="auto"><li>one</li></ul><p>&lt;b&gt;two&lt;/b&gt;</p></details><p>After.</p></div>',
    );
    expect(render('<details open>a')).toContain(
      '<details class="md-details" open=""><summary>Details</summary><p>a</p>',
    );
    expect(render('<details ontoggle=alert(1)>a</details>')).toContain('&lt;details ontoggle');
    expect(render('<details><details>a</details>b</details>c')).toMatch(/b<\/p><\/details><p>c/);
  });
  test('a table is named by its columns, and is not a landmark, because two may have the same name', () => {
    const table = render('|City|\n|-|\n|c|');
    expect(table).toContain('<div class="md-table" role="group"');
    expect(table).not.toContain('<section');
    expect(render('|City|**Population**|\n|-|-|\n|c|d|')).toContain('aria-label="Table: City, Population"');
    expect(render('|||\n|-|-|\n|c|d|')).toContain('aria-label="Table"');
    expect(render(`|${'long '.repeat(60)}|\n|-|\n|c|`)).toMatch(/aria-label="[^"]{80}"/);
  });
  test('a table scrolls in its own box, a task list shows its state', () => {
    expect(render('|a|b|\n|:-:|-|\n|c|d|')).toContain(
      'tabindex="0"><table dir="auto"><thead><tr><th class="md-center">a</th>',
    );
    expect(render('- [x] a\n- [ ] b')).toMatch(/aria-label="Done".*aria-label="To do"/);
  });
  test('code with more than 3 lines has line numbers, which are not read out', () => {
    expect(render('```ts\na\nb\nc\n```')).not.toContain('md-lines');
    expect(render('```ts\na\nb\nc\nd\n```')).toContain(
      '<span class="md-lines" aria-hidden="true">1\n2\n3\n4</span>',
    );
    expect(render('```ts\na\n```')).toContain('<span>TypeScript</span>');
  });
  test('the address of a link is not printed twice if it is the text', () => {
    for (const text of [
      'https://a.example/b',
      '<https://a.example/>',
      '[a.example](https://a.example)',
      'https://a.example/?q=a&b="c',
      'me@a.example',
    ])
      expect(render(text)).toContain('data-bare=""');
    expect(render('[a](https://a.example)')).not.toContain('data-bare');
  });
});

const sample = fc.constantFrom(
  'Some **bold** and *thin* words, `code` and ~~gone~~.',
  '## A heading',
  '- one\n- two **b**\n  - deep [l](https://a.example/x)\n\n  more',
  '1. one\n2. two\n\n3. three',
  '```js\nconst a = `**x**`;\n\nlet b = 1 * 2;\n```',
  '> quote\n> - in it\n\n> again',
  '| a | **b** |\n|---|:-:|\n| 1 | 2 |\n| `x` | [y](https://b.example) |',
  '---',
  'A [link](https://a.example/(b)) and ![p](https://c.example/p.png) and [ref][r].',
  '[r]: https://d.example "t"',
  '- [ ] todo\n- [x] done',
  'line one\nline two  \nline three',
  '    indented\n    code',
  '<div>\nraw\n</div>',
  'A mark[^1] and\n[^1]: its note\n\n    with more',
  'text\n===',
  'a * b * c, 5_000_000, [0, 1) and x[i]',
  'It is $x^2_a*b*$ or \\(y\\) for $5 to $10, and',
  '$$\na\n= b_1*c*\n- d\n$$',
  'as\n\\[\n[a] `b`\n\\]\nso',
);
const texts = fc.array(sample, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('\n\n'));
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 });

function* prefixes(text: string, steps: number[]) {
  for (let end = 0, at = 0; end < text.length; at++) {
    end = Math.min(text.length, end + steps[at % steps.length]!);
    yield text.slice(0, end);
  }
}

describe('streaming', () => {
  test('reading only the end gives the same result as reading everything', () => {
    fc.assert(
      fc.property(texts, cuts, (text, steps) => {
        const fullText = `${text}\n\nThe end\n`;
        const growing = new GrowingDocument();
        let blocks: Block[] = [];
        for (const prefix of prefixes(fullText, steps)) blocks = growing.read(prefix);
        if (!text.includes('[r]:')) expect(renderBlocks(blocks)).toBe(renderBlocks(readDocument(fullText)));
      }),
      { numRuns: 100 },
    );
  });

  test('never shows a raw marker', () => {
    const plain = texts.filter((text) => !/<div>|\[ref\]|\[r\]:|x\[i\]|```|indented|`b`/.test(text));
    fc.assert(
      fc.property(plain, (text) => {
        const growing = new GrowingDocument();
        for (const prefix of prefixes(`${text}\n`, [1])) {
          const shown = visible(renderBlocks(growing.read(prefix)));
          expect(shown, JSON.stringify(prefix)).not.toMatch(
            /\*\*|~~|`|\]\(|\|| #|^#|!\[|https:|\[(?!0)|={2}|-{2}|\$(?!5|10)|\\/,
          );
        }
      }),
      { numRuns: sampled(10, 30) },
    );
  });

  test('an open fence is code from its first line, and its closing fence is never shown', () => {
    const text = 'Look:\n\n```js\nlet a = `x`;\nlet b;\n```\n\nDone.';
    const growing = new GrowingDocument();
    for (const prefix of prefixes(text, [1]))
      expect(visible(renderBlocks(growing.read(prefix)))).not.toContain('``');
  });

  test('a text that starts over replaces the old one', () => {
    const growing = new GrowingDocument();
    growing.read('# One\n\ntwo\n\nthree\n\nfour');
    expect(renderBlocks(growing.read('new'))).toBe('<p>new</p>');
  });

  test('a late definition reaches its links at the end', () => {
    const text = 'See [a][r].\n\nMore.\n\nAnd more.\n\n[r]: https://a.example';
    expect(render(text)).toContain('href="https://a.example/"');
  });
});
