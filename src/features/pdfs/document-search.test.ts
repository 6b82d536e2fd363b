import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PdfText, readPdfText } from '#platform/document-reader/document-text.server.ts';
import { normalize } from '#platform/document-reader/normalize-text.server.ts';
import type { LinesOfPage, PageText } from '#platform/document-reader/reader-protocol.ts';
import { TextSearch } from '#platform/document-reader/text-search.server.ts';
import { type Sample, samples } from '#tests/support/documents.ts';
import { sampled, sampleOf } from '#tests/support/soak.ts';
import { marksOf } from './document-search.server.ts';

const page = (text: string, number = 1) => ({
  page: number,
  text,
  boxes: text.split(/\s+/).flatMap((_, index) => [index * 100, 0, 90, 100]),
});

function searchOf(pages: Array<PageText & { boxes: number[] }>) {
  const search = new TextSearch(pages);
  const boxes = new Map(pages.map((each) => [each.page, Int32Array.from(each.boxes)]));
  const withMarks = (places: LinesOfPage[]) => places.map((place) => marksOf(boxes.get(place.page)!, place));
  return {
    find(quote: string, near: number) {
      const match = search.find(quote, near);
      return match && { text: match.text, places: withMarks(match.places) };
    },
    count(phrase: string) {
      const { count, places } = search.count(phrase);
      return { count, places: withMarks(places) };
    },
  };
}

const source = searchOf([
  page(
    'The adminis-\ntration found that revenue rose by 12.5% in 2024, to $4.2 million; it was well-\nknown.\nThe ofﬁce did not close in the (−5°) winter of the year.',
  ),
  page('Next page tells of the turbine which gave power to the whole city and never stopped.', 2),
]);

describe('a quote', () => {
  it.each([
    ['The administration found that revenue rose', 'The administration found that revenue rose'],
    ['“revenue rose by 12.5 % in 2024”', 'revenue rose by 12.5% in 2024'],
    ['IT WAS WELL-KNOWN. The office did', 'it was well-known. The ofﬁce did'],
    ['of the year. Next page tells', 'of the year. Next page tells'],
    ['in the (-5°) winter of the year', 'in the (−5°) winter of the year.'],
    ['the turbine which gave powers to the whole city', 'the turbine which gave power to the whole city'],
    ['the turbine which gave power to whole city and', 'the turbine which gave power to the whole city and'],
    [
      'administration found that … well-known. The office',
      'administration found that … well-known. The ofﬁce',
    ],
  ])('is found in any form: %s', (quote, expected) => {
    expect(source.find(quote, 1)?.text).toBe(expected);
  });

  it.each([
    ['a changed number', 'revenue rose by 13.5% in 2024'],
    ['a missing decimal point', 'revenue rose by 125% in 2024'],
    ['a missing part of a number', 'revenue rose by 12 in the year'],
    ['a missing minus sign', 'in the 5 winter of the year'],
    ['a missing "not"', 'The office did close in the winter'],
    ['an added "not"', 'administration did not find that revenue rose by 12.5%'],
    ['another noun', 'the turbine which gave power to the whole village'],
    ['half a word', 'ministration found that revenue rose'],
    ['words from two places', 'The administration found that the turbine never stopped'],
    ['pieces in the wrong order', 'revenue rose by 12.5% … The administration found that'],
    ['too few words', 'the year'],
    ['no words', '…'],
  ])('is not found with %s', (_, given) => {
    expect(source.find(given, 1)).toBeNull();
  });

  it.each([
    ['a few filler words', 'as well as the other'],
    ['many filler words', 'that it was not as it had been before this'],
    ['one specific word', 'turbine which was the one that'],
    ['two pieces of filler words', 'as well as the other … that it was not as it had been'],
    ['three words', 'gauges measured everything'],
  ])('is refused with only %s: %s', (_, given) => {
    const filler = searchOf([
      page('It is as well as the other one, and that it was not as it had been before this. The'),
      page('turbine which was the one that our gauges measured everything with.', 2),
    ]);
    expect(filler.find(given, 1)).toBeNull();
    expect(filler.find('our gauges measured everything', 1)).not.toBeNull();
  });

  it('may be shorter in languages without spaces between words', () => {
    const weather = searchOf([page('東京都の天気予報は晴れ')]);
    expect(weather.find('天気予報は晴れ', 1)?.text).toBe('東京都の天気予報は晴れ');
    expect(weather.find('天気予', 1)).toBeNull();
  });

  it('is refused if the document repeats its words', () => {
    const repetitive = searchOf([1, 2, 3].map((number) => page('gauge '.repeat(100_000).trim(), number)));
    for (const words of [390, 60, 30]) {
      const gauges = 'gauge '.repeat(words - 2);
      for (const quote of [`${gauges}river water`, `river water ${gauges}`, `${gauges}river ${gauges}`])
        expect(repetitive.find(quote, 2)).toBeNull();
    }
  });

  it('may continue on the next page that has text', () => {
    const [first, third] = [page('The river measured nothing'), page('but gravel and letters.', 3)];
    const quote = 'measured nothing but gravel';
    expect(
      searchOf([first, third])
        .find(quote, 1)
        ?.places.map((place) => place.page),
    ).toEqual([1, 3]);
  });

  it('is found in long documents too', () => {
    const pages = Array.from({ length: 300 }, (_, n) =>
      page(`Gauge ${n} reported. ${'The river fell. '.repeat(230)}`.trim(), n + 1),
    );
    const long = searchOf(pages);
    const found = long.find('gauge 250 reported. The river fell', 1);
    expect(found).toMatchObject({ text: 'Gauge 250 reported. The river fell.', places: [{ page: 251 }] });
    expect(long.count('river').count).toBe(69_000);
  });

  it('is marked line by line on each page, at the place nearest to the given page', () => {
    expect(source.find('of the year. Next page tells', 1)?.places).toEqual([
      { page: 1, boxes: [[270, 0, 29, 10]] },
      { page: 2, boxes: [[0, 0, 29, 10]] },
    ]);
    const repeated = searchOf([
      page('the same words stand here'),
      page('and', 2),
      page('the same words stand here', 3),
    ]);
    expect(repeated.find('the same words stand', 3)?.places[0]?.page).toBe(3);
    expect(repeated.find('the same words stand', 1)?.places[0]?.page).toBe(1);
  });

  it('counts keywords as whole words, including phrases', () => {
    expect(source.count('Page').count).toBe(1);
    expect(source.count('administration').places[0]?.boxes.length).toBe(2);
    expect(source.count('whole city').count).toBe(1);
    expect(source.count('city whole').count).toBe(0);
    expect(source.count('win').count).toBe(0);
  });

  it('keeps the characters that distinguish numbers', () => {
    expect(normalize('1,250.5 x.')).toBe('1,250.5x');
    expect(normalize('ΠΌΛΗΣ')).toBe(normalize('πόλης'));
    expect(new Set(['-5', '5', '5%', '$5', '0.5'].map(normalize)).size).toBe(5);
  });
});

/** A true quote in the ways that models change it: quotation marks, case, spaces, a part of it. */
function variants(text: string, n: number): string[] {
  const words = text.split(' ');
  const part = words.slice(n % 2, Math.max(6, words.length - (n % 2))).join(' ');
  return [text, part, `“${text.replace(/\.$/, '')}”`, text.toUpperCase(), text.replaceAll(' ', '  ')];
}

/** Quotes that no sample contains: a changed number, an added "not", halves of two sentences, invented words. */
function inventions(text: string, other: string, n: number): string[] {
  const [words, others] = [text.split(' '), other.split(' ')];
  const half = Math.ceil(words.length / 2);
  return [
    /\d/.test(text) ? text.replace(/\d/, (figure) => String((Number(figure) + 3) % 10)) : `${text} ${n} 4711`,
    [...words.slice(0, half), 'not', 'at', 'all', ...words.slice(half)].join(' '),
    [...words.slice(0, half), ...others.slice(Math.floor(others.length / 2))].join(' '),
    `Nobody in this document has praised the result number ${n} so warmly`,
  ];
}

describe('the quotes of the sample documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotes-'));
  const documents: Array<{ sample: Sample; pdf: PdfText; source: ReturnType<typeof searchOf> }> = [];
  beforeAll(async () => {
    for (const sample of sampleOf(await samples())) {
      const path = join(folder, 'document.pdf');
      writeFileSync(path, sample.bytes);
      const pdf = await readPdfText(path, { key: sample.name, layout: true });
      const pages = pdf.text.map(({ page: number, text, layout }) => ({
        page: number,
        text,
        boxes: layout?.boxes ?? [],
      }));
      documents.push({ sample, pdf, source: searchOf(pages) });
    }
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('pass if they are true and fail if they are invented, in documents of many kinds', () => {
    expect(documents.length).toBeGreaterThanOrEqual(sampled(4, 12));
    const missed: string[] = [];
    const passed: string[] = [];
    let variantCount = 0;
    for (const { sample, source: search } of documents) {
      for (const [n, { page: number, text }] of sample.facts.entries()) {
        for (const quote of variants(text, n)) {
          variantCount++;
          const place = search.find(quote, number);
          if (place?.places[0]?.page !== number) missed.push(`${sample.name}: ${quote}`);
        }
        const other = sample.facts[(n + 1) % sample.facts.length]!.text;
        for (const quote of inventions(text, other === text ? 'quite another matter here' : other, n))
          if (search.find(quote, number)) passed.push(`${sample.name}: ${quote}`);
      }
    }
    expect(passed).toEqual([]);
    expect(variantCount).toBeGreaterThan(sampled(100, 400));
    expect(missed.length, missed.slice(0, 20).join('\n')).toBeLessThanOrEqual(variantCount * 0.05);
  });

  it('have one box per word, within its page, and contain no hidden words', () => {
    for (const { sample, pdf } of documents) {
      expect(pdf.pages, sample.name).toBe(sample.pages);
      for (const { text, layout } of pdf.text) {
        const words = text.split(/\s+/);
        expect(layout?.boxes.length, sample.name).toBe(words.length * 4);
        for (const [index, value] of (layout?.boxes ?? []).entries()) {
          const side = index % 2 === 0 ? layout!.width : layout!.height;
          expect(value, sample.name).toBeGreaterThanOrEqual(-20);
          expect(value, sample.name).toBeLessThanOrEqual(side * 10 + 20);
        }
      }
      const allText = pdf.text.map(({ text }) => text).join('\n');
      for (const words of sample.hiddenText ?? []) {
        expect(allText).not.toContain(words.split(' ')[0]);
        expect(pdf.text.map(({ layout }) => layout?.hidden).join(' ')).toContain(words);
      }
    }
  });

  it('are marked where PDF.js places their text', async () => {
    const { getDocument, Util } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    for (const { sample, source: search } of documents) {
      const pdf = await getDocument({ data: new Uint8Array(sample.bytes), verbosity: 0 }).promise;
      for (const { page: number, text } of sample.facts) {
        const proxy = await pdf.getPage(number);
        const { transform } = proxy.getViewport({ scale: 1 });
        const { items } = await proxy.getTextContent();
        const lines = items.flatMap((item) => {
          if (!('str' in item) || item.str.trim() === '') return [];
          const [a, b, c, d, e, f] = Util.transform(transform, item.transform) as [
            number,
            number,
            number,
            number,
            number,
            number,
          ];
          const [along, up] = [item.width / Math.hypot(a, b), item.height / Math.hypot(c, d)];
          const [x, y] = [e + a * along + c * up, f + b * along + d * up];
          return [
            {
              text: normalize(item.str),
              x0: Math.min(e, x),
              x1: Math.max(e, x),
              y0: Math.min(f, y),
              y1: Math.max(f, y),
            },
          ];
        });
        const boxes = search.find(text, number)?.places.flatMap((place) => place.boxes) ?? [];
        expect(boxes.length, `${sample.name}: ${text}`).toBeGreaterThan(0);
        for (const [x, y, width, height] of boxes) {
          const covered = lines.filter(
            (line) =>
              x + width > line.x0 + 1 && x < line.x1 - 1 && y + height > line.y0 + 1 && y < line.y1 - 1,
          );
          // Each box must cover text, and may exceed it only by the space above and below a line.
          expect(covered.length, `${sample.name}: ${text}`).toBeGreaterThan(0);
          expect(x).toBeGreaterThan(Math.min(...covered.map(({ x0 }) => x0)) - 6);
          expect(x + width).toBeLessThan(Math.max(...covered.map(({ x1 }) => x1)) + 6);
          expect(y).toBeGreaterThan(Math.min(...covered.map(({ y0 }) => y0)) - 6);
          expect(y + height).toBeLessThan(Math.max(...covered.map(({ y1 }) => y1)) + 6);
          const coveredText = covered.map((line) => line.text).join('');
          const words = text.split(' ').map(normalize);
          expect(
            words.some((word) => coveredText.includes(word)),
            `${sample.name}: ${coveredText}`,
          ).toBe(true);
        }
      }
      await pdf.loadingTask.destroy();
    }
  }, 60_000);
});
