import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import mammoth from 'mammoth';
import { expect, test } from 'vitest';
import { withLocale } from '#platform/locale.server.ts';
import { readRichText } from '#ui/markdown/read-rich-text.ts';
import { renderDocx } from './docx.server.ts';
import { UnprintableText } from './font-set.server.ts';
import { renderPdf } from './pdf.server.ts';
import { renderPlainText } from './plain-text.server.ts';

const source = `# Über Wörter

Ein **fetter**, ein *schräger*, ein ~~alter~~ Text & ein [Weg](https://example.com/weg?a=1&b=2).
Ελληνικά, кириллица, čeština; "quoted" <tags> stay.

## Lists of things

- first
- second
  - deeper *one*
    1. numbered inside
    2. again
- third

3. three
4. four

> A quotation with \`code\`.

\`\`\`js
const answer = 42;
  return answer;
\`\`\`

| Name | Value |
| --- | ---: |
| alpha | 1 |
| beta | 2 |

---

### The end

Last words.
`;

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

async function openPdf(bytes: Uint8Array) {
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const pdfjs = (await import(join(root, 'legacy/build/pdf.mjs'))) as typeof import('pdfjs-dist');
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    standardFontDataUrl: `${join(root, 'standard_fonts')}/`,
  });
  return { task, file: await task.promise, pdfjs };
}

async function pdfText(bytes: Uint8Array): Promise<{ text: string; sizes: Map<string, number> }> {
  const { task, file } = await openPdf(bytes);
  const lines: string[] = [];
  const sizes = new Map<string, number>();
  for (let page = 1; page <= file.numPages; page++) {
    const { items } = await (await file.getPage(page)).getTextContent();
    for (const item of items) {
      if (!('str' in item)) continue;
      lines.push(item.str + (item.hasEOL ? '\n' : ''));
      for (const word of words(item.str))
        sizes.set(word, Math.max(sizes.get(word) ?? 0, Math.round(item.height)));
    }
  }
  await task.destroy();
  return { text: lines.join(''), sizes };
}

interface DrawnText {
  text: string;
  x: number;
  y: number;
  width: number;
}

/** Positions of the text pieces and lines on the first page, in points from the bottom left corner. */
async function readLayout(
  markdown: string,
): Promise<{ pieces: DrawnText[]; strokes: Omit<DrawnText, 'text'>[] }> {
  const { task, file, pdfjs } = await openPdf(
    await renderPdf(readRichText(markdown), { title: '', paper: 'a4' }),
  );
  const page = await file.getPage(1);
  const { items } = await page.getTextContent();
  const pieces = items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [{ text: item.str, x: item.transform[4], y: item.transform[5], width: item.width }]
      : [],
  );
  const { fnArray, argsArray } = await page.getOperatorList();
  const { height } = page.getViewport({ scale: 1 });
  const strokes = fnArray.flatMap((operation, at) => {
    if (operation !== pdfjs.OPS.constructPath) return [];
    const [left, top, right] = [...argsArray[at][2]] as [number, number, number];
    return [{ x: left, y: height - top, width: right - left }];
  });
  await task.destroy();
  return { pieces, strokes };
}

/** The tags of a file in reading order, with their ancestors, such as `P Link`. */
async function readTags(bytes: Uint8Array): Promise<string[]> {
  const { task, file } = await openPdf(bytes);
  const tags: string[] = [];
  type Node = { role?: string; children?: Node[] };
  const walk = (node: Node, parentPath: string) => {
    if (!node.role) return;
    const path = parentPath === '' ? node.role : `${parentPath} ${node.role}`;
    tags.push(path);
    for (const child of node.children ?? []) walk(child, path);
  };
  for (let page = 1; page <= file.numPages; page++) {
    const tree = await (await file.getPage(page)).getStructTree();
    for (const child of (tree?.children ?? []) as Node[]) walk(child, '');
  }
  await task.destroy();
  return tags;
}

test('a Word document has the same headings, lists, links and words when another program reads it', async () => {
  const bytes = Buffer.from(await renderDocx(readRichText(source), 'Title'));
  const { value: html } = await mammoth.convertToHtml({ buffer: bytes });
  const headings = [...html.matchAll(/<h(\d)>(.*?)<\/h\1>/g)].map(([, level, text]) => `${level} ${text}`);
  expect(headings).toEqual(['1 Über Wörter', '2 Lists of things', '3 The end']);
  expect(html).toContain('<a href="https://example.com/weg?a=1&amp;b=2">Weg</a>');
  expect(html).toContain('<strong>fetter</strong>');
  expect(html).toContain('<em>schräger</em>');
  expect(html).toMatch(/<ul><li>first<\/li><li>second<ul><li>deeper <em>one<\/em><ol><li>numbered inside/);
  expect(html).toMatch(/<ol><li>three<\/li><li>four<\/li><\/ol>/);
  expect(html).toMatch(/<thead><tr><th><p><strong>Name/);
  const { value: raw } = await mammoth.extractRawText({ buffer: bytes });
  expect(words(raw)).toEqual(
    words(renderPlainText(readRichText(source.replace(/\[Weg\]\(.*?\)/, 'Weg'))).replace(/^\s*\d\. /gm, '')),
  );
});

test('a PDF has the same words in the same order when another program reads it, with larger headings', async () => {
  const { text, sizes } = await pdfText(
    await renderPdf(readRichText(source), { title: 'Title', paper: 'a4' }),
  );
  expect(words(text)).toEqual(words(renderPlainText(readRichText(source.replace(/\[Weg\]\(.*?\)/, 'Weg')))));
  expect(sizes.get('Über')).toBeGreaterThan(sizes.get('Lists') ?? 0);
  expect(sizes.get('Lists')).toBeGreaterThan(sizes.get('fetter') ?? 0);
});

test('a long text continues on further pages and loses no word', async () => {
  const long = Array.from(
    { length: 400 },
    (_, at) => `Paragraph ${at} has **bold** words and a few more of them.`,
  ).join('\n\n');
  const { text } = await pdfText(await renderPdf(readRichText(long), { title: 'Long', paper: 'a4' }));
  expect(words(text)).toEqual(words(long.replaceAll('*', '')));
});

test('a long text with raw HTML loses no word in any format', async () => {
  const html = '<div>\nunder two\n  signs\n</div>\n\n<!-- a\nremark -->';
  const paragraphs = Array.from({ length: 900 }, (_, at) => `Paragraph ${at} of **nine** hundred.`);
  const long = [html, ...paragraphs, html, 'Last\\\nline.'].join('\n\n');
  const all = words(long);
  for (const rich of [readRichText(long, 10_000), readRichText(long)]) {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(await renderDocx(rich, 'Long')) });
    expect(words(value.replace(/<[^>]*>|&\w+;/g, ' '))).toEqual(all);
    expect(words(renderPlainText(rich))).toEqual(all);
  }
  const rich = readRichText(long, 10_000);
  expect(rich).toHaveLength(905);
  expect(words((await pdfText(await renderPdf(rich, { title: 'Long', paper: 'a4' }))).text)).toEqual(all);
  expect(renderPlainText(readRichText(html))).toBe(
    '<div>\nunder two\n  signs\n</div>\n\n<!-- a\nremark -->\n',
  );
});

test('writes list numbers as text if a document has very many lists', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => (at % 2 ? '1) a' : '7. b')).join('\n');
  const bytes = Buffer.from(await renderDocx(readRichText(many, 10_000), 'Lists'));
  const { value } = await mammoth.extractRawText({ buffer: bytes });
  expect(value.match(/[ab]/g)).toHaveLength(1_000);
  expect(value).toContain('7. b');
});

test('names letters that no font can print', async () => {
  const error = await renderPdf(readRichText('A 한 and বাংলা, 漢 and שלום'), {
    title: '',
    paper: 'a4',
  }).catch((error) => error);
  expect(error).toBeInstanceOf(UnprintableText);
  expect((error as UnprintableText).signs).toEqual(['한', 'ব', 'ল']);
});

test.each([
  ['en', /left out/],
  ['de', /ausgelassen/],
  ['ja', /絵文字/],
  ['zh-Hans', /表情符号/],
] as const)('leaves out emoji and says so in the language of the reader: %s', async (language, note) => {
  const party = readRichText('Party 🦜 time 🏳️‍🌈');
  const { text } = await pdfText(
    await withLocale(language, () => renderPdf(party, { title: '', paper: 'a4' })),
  );
  expect(text).toContain('Party');
  expect(text).toMatch(note);
});

test.each([
  [
    'Chinese',
    '# 标题\n\n人工智能工具可以帮助你写作，**粗体文字**也应该显示正确。English words 混排，数字 2026 年。',
  ],
  ['Japanese', '日本語のテキストもあります。カタカナとひらがな、漢字。'],
  ['Hindi', '# शीर्षक\n\nसंयुक्त अक्षर और मात्राएँ: क्षत्रिय, ज्ञान, विद्यार्थी, **प्रकृति**, श्री। और English शब्द।'],
  [
    'Arabic',
    '# عنوان\n\nهذا نص عربي طويل، ويحتوي على كلمة English وعلى أرقام مثل 2026 و ٣٤٥ (بين قوسين). لا إله إلا الله، **الإسلام**.',
  ],
  ['Arabic with vowels', 'السَّلَامُ عَلَيْكُمْ'],
  ['Persian', 'می‌خواهم ۱۲۳ کتاب بخوانم'],
  ['Hebrew', 'שלום עולם, זה טקסט בעברית (עם סוגריים) ומספר 123.'],
  ['all in one line', 'Latin 中文 हिन्दी עברית كلمة Ελληνικά'],
])('another program reads a PDF of %s as it was written', async (_, markdown) => {
  const { text } = await pdfText(await renderPdf(readRichText(markdown), { title: '', paper: 'a4' }));
  // This program finds no spaces between parts of opposite direction, because it moves back over them.
  const compact = (value: string) => value.replace(/[\s\u200c\u200d]/g, '').normalize('NFC');
  expect(compact(text)).toBe(compact(markdown.replace(/[#*]/g, '')));
});

test('right-to-left text starts at the right, and its numbers run to the right', async () => {
  const { pieces } = await readLayout('אבג דהו 123\n\nabc');
  const at = (text: string) => pieces.find((piece) => piece.text.includes(text))!;
  // The width of A4 minus a margin of one inch.
  expect(at('אבג').x + at('אבג').width).toBeCloseTo(595.28 - 72, 0);
  expect(at('123').x).toBeLessThan(at('אבג').x);
  expect(at('abc').x).toBeCloseTo(72, 0);
});

test('lines under links and through deleted words are drawn at these words', async () => {
  const { pieces, strokes } = await readLayout(
    'An [underlined way](https://example.com/) and an ~~old thing~~ here.',
  );
  const at = (text: string) => pieces.find((piece) => piece.text.includes(text))!;
  const fullLine = pieces.find(({ text }) => text.includes('here'))!;
  expect(strokes).toHaveLength(2);
  const [under, through] = strokes as [DrawnText, DrawnText];
  const base = (at('underlined') ?? fullLine).y;
  expect(base - under.y).toBeGreaterThan(0.5);
  expect(base - under.y).toBeLessThan(3);
  expect(through.y - base).toBeGreaterThan(2);
  expect(through.y - base).toBeLessThan(5);
  expect(under.x).toBeLessThan(through.x);
  expect(under.width).toBeGreaterThan(40);
});

test('code keeps its indentation and columns, and tables keep their alignment', async () => {
  const code = '```\nif x:\n    return 1\n\tdeep\ncol1    col2\n1       20\n```';
  const { pieces } = await readLayout(
    `${code}\n\n| Name | Value |\n| --- | ---: |\n| alpha | 1 |\n| b | 2000 |`,
  );
  const at = (text: string) => pieces.find((piece) => piece.text === text)!;
  /** Character width of the monospaced font at 9 points. */
  const column = 9 * 0.602;
  const start = at('if').x;
  for (const word of ['return', 'deep']) expect(at(word).x - start, word).toBeCloseTo(4 * column, 0);
  expect(at('col2').x).toBeCloseTo(at('20').x, 1);
  expect(at('col2').x - start).toBeCloseTo(8 * column, 0);
  const end = ({ x, width }: DrawnText) => x + width;
  expect(end(at('2000'))).toBeCloseTo(end(at('Value')), 0);
  expect(at('alpha').x).toBeCloseTo(at('Name').x, 0);
});

test('a PDF has tags for all of its parts', async () => {
  const bytes = await renderPdf(readRichText(source), { title: 'Über', paper: 'a4' });
  const tags = await readTags(bytes);
  for (const path of [
    'Document H1',
    'Document H2',
    'Document P Link',
    'Document L LI Lbl',
    'Document L LI LBody P',
    'Document L LI LBody L LI LBody P',
    'Document BlockQuote P',
    'Document P Code',
    'Document Table TR TH',
    'Document Table TR TD',
  ])
    expect(
      tags.map((tag) => tag.replace('Root ', '')),
      path,
    ).toContain(path);
  const { task, file } = await openPdf(bytes);
  const { info, metadata } = await file.getMetadata();
  expect(info).toMatchObject({ Title: 'Über' });
  expect(metadata?.get('pdfuaid:part')).toBe('1');
  await task.destroy();
});

test('plain text keeps list marks and link addresses', () => {
  const text = renderPlainText(readRichText('- a [way](https://example.com/x)\n- b\n\n5. five'));
  expect(text).toBe('- a way (https://example.com/x)\n- b\n\n5. five\n');
});

test.each([
  ['nested quotes', '>'.repeat(5_000)],
  ['open emphasis', '*a '.repeat(20_000)],
  ['deep lists', Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n')],
  ['one long word', 'x'.repeat(60_000)],
  ['a wide table', `|${'a|'.repeat(90)}\n|${'-|'.repeat(90)}\n|${'b|'.repeat(90)}`],
  ['control characters', 'a\u0001b\u000bc\ufffed \u202e txt'],
])('renders %s in bounded time', async (_, text) => {
  const rich = readRichText(text);
  expect((await renderDocx(rich, 'x')).length).toBeGreaterThan(1_000);
  expect((await renderPdf(rich, { title: 'x', paper: 'a4' })).length).toBeGreaterThan(500);
});
