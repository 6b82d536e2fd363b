import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import mammoth from 'mammoth';
import { expect, test } from 'vitest';
import { readRichText } from '../../ui/markdown/rich-text.ts';
import { docxOf } from './docx.server.ts';
import { UnprintableText } from './fonts.server.ts';
import { pdfOf } from './pdf.server.ts';
import { plainTextOf } from './text.server.ts';

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

async function pdfText(bytes: Uint8Array): Promise<{ text: string; sizes: Map<string, number> }> {
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const { getDocument } = (await import(join(root, 'legacy/build/pdf.mjs'))) as typeof import('pdfjs-dist');
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    standardFontDataUrl: `${join(root, 'standard_fonts')}/`,
  });
  const file = await task.promise;
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

test('a Word document is read by another program with the same headings, lists, links and words', async () => {
  const bytes = Buffer.from(await docxOf(readRichText(source), 'Title'));
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
    words(plainTextOf(readRichText(source.replace(/\[Weg\]\(.*?\)/, 'Weg'))).replace(/^\s*\d\. /gm, '')),
  );
});

test('a PDF is read by another program with the same words in the same order, headings larger', async () => {
  const { text, sizes } = await pdfText(await pdfOf(readRichText(source), 'Title'));
  expect(words(text)).toEqual(words(plainTextOf(readRichText(source.replace(/\[Weg\]\(.*?\)/, 'Weg')))));
  expect(sizes.get('Über')).toBeGreaterThan(sizes.get('Lists') ?? 0);
  expect(sizes.get('Lists')).toBeGreaterThan(sizes.get('fetter') ?? 0);
});

test('a text goes on over pages and loses no word', async () => {
  const long = Array.from(
    { length: 400 },
    (_, at) => `Paragraph ${at} has **bold** words and a few more of them.`,
  ).join('\n\n');
  const { text } = await pdfText(await pdfOf(readRichText(long), 'Long'));
  expect(words(text)).toEqual(words(long.replaceAll('*', '')));
});

test('a long text with raw HTML loses no word in any format', async () => {
  const html = '<div>\nunder two\n  signs\n</div>\n\n<!-- a\nremark -->';
  const paragraphs = Array.from({ length: 900 }, (_, at) => `Paragraph ${at} of **nine** hundred.`);
  const long = [html, ...paragraphs, html, 'Last\\\nline.'].join('\n\n');
  const all = words(long);
  for (const rich of [readRichText(long, 10_000), readRichText(long)]) {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(await docxOf(rich, 'Long')) });
    expect(words(value.replace(/<[^>]*>|&\w+;/g, ' '))).toEqual(all);
    expect(words(plainTextOf(rich))).toEqual(all);
  }
  const whole = readRichText(long, 10_000);
  expect(whole).toHaveLength(905);
  expect(words((await pdfText(await pdfOf(whole, 'Long'))).text)).toEqual(all);
  expect(plainTextOf(readRichText(html))).toBe('<div>\nunder two\n  signs\n</div>\n\n<!-- a\nremark -->\n');
});

test('numbers go on as text where a document has very many lists', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => (at % 2 ? '1) a' : '7. b')).join('\n');
  const bytes = Buffer.from(await docxOf(readRichText(many, 10_000), 'Lists'));
  const { value } = await mammoth.extractRawText({ buffer: bytes });
  expect(value.match(/[ab]/g)).toHaveLength(1_000);
  expect(value).toContain('7. b');
});

test('letters that no font prints are named, pictures are left out and said so', async () => {
  await expect(pdfOf(readRichText('A 漢 and שלום'), '')).rejects.toThrow(UnprintableText);
  const { text } = await pdfText(await pdfOf(readRichText('Party 🦜 time 🏳️‍🌈'), ''));
  expect(text).toContain('Party');
  expect(text).toMatch(/left out/);
});

test('plain text keeps marks of lists and addresses of links', () => {
  const text = plainTextOf(readRichText('- a [way](https://example.com/x)\n- b\n\n5. five'));
  expect(text).toBe('- a way (https://example.com/x)\n- b\n\n5. five\n');
});

test.each([
  ['nested quotes', '>'.repeat(5_000)],
  ['open emphasis', '*a '.repeat(20_000)],
  ['deep lists', Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n')],
  ['one long word', 'x'.repeat(60_000)],
  ['a wide table', `|${'a|'.repeat(90)}\n|${'-|'.repeat(90)}\n|${'b|'.repeat(90)}`],
  ['control signs', 'a\u0001b\u000bc\ufffed \u202e txt'],
])('%s become documents in bounded time', async (_, text) => {
  const started = performance.now();
  const rich = readRichText(text);
  expect((await docxOf(rich, 'x')).length).toBeGreaterThan(1_000);
  expect((await pdfOf(rich, 'x')).length).toBeGreaterThan(500);
  expect(performance.now() - started).toBeLessThan(8_000);
});
