import { describe, expect, test } from 'vitest';
import type { PdfText } from '#platform/document-reader/document-text.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { estimateTokens } from '#shared/token-estimate.ts';
import { fitDocument, type SentDocument } from './fit-document.server.ts';
import { describeLeftOut } from './left-out.server.ts';

function pdf(pages: Array<string | null>, all = pages.length): PdfText {
  const numbered = pages.map((text, index) => ({ page: index + 1, text }));
  return {
    pages: all,
    pagesRead: pages.length,
    text: numbered.flatMap(({ page, text }) => (text ? [{ page, text }] : [])),
    emptyPages: numbered.filter(({ text }) => text === '').map(({ page }) => page),
    brokenPages: numbered.filter(({ text }) => text === null).map(({ page }) => page),
  };
}

/** The note after a round trip through the database. */
const noteOf = ({ leftOut }: SentDocument) =>
  describeLeftOut({ left_out: JSON.parse(JSON.stringify(leftOut)), note: null });

const layout = { width: 1, height: 1, boxes: [], hidden: '', overPicture: false };

const long = 'seven words of a page to read '.repeat(12);

describe('fitDocument', () => {
  test('sends all of a short document, page by page, without a note', () => {
    expect(fitDocument(pdf(['One.', 'Two.']), 8000)).toEqual({
      pages: 2,
      pagesRead: 2,
      text: '[Page 1]\nOne.\n\n[Page 2]\nTwo.',
      leftOut: null,
    });
  });

  test.each([
    [pdf(['One.', '', 'Three.']), 'No text: page 2.'],
    [pdf(['', 'Two.', null, '']), 'No text: pages 1 and 4. Unreadable: page 3.'],
    [pdf(['One.', '', '', '', '', '', '']), 'No text: pages 2–7.'],
    [pdf(['One.', 'Two.'], 40), 'Only pages 1 to 2 of 40 fit; the rest is left out.'],
  ])('describes what is not sent: %#', (document, note) => {
    expect(noteOf(fitDocument(document, 8000))).toBe(note);
  });

  test('names scanned pages and pages with invisible text, in the language of the reader', () => {
    const { text, ...rest } = pdf(['One.', 'Two.', '', 'Four.']);
    const [hidden, scanned] = [
      { ...layout, hidden: 'x' },
      { ...layout, overPicture: true },
    ];
    const fit = fitDocument(
      {
        ...rest,
        text: text.map((page) => ({ ...page, layout: [layout, hidden, layout, scanned][page.page - 1] })),
      },
      8000,
    );
    expect(noteOf(fit)).toBe(
      'No text: page 3. Invisible text on page 2 was ignored. Scanned, with automatically recognized text: page 4.',
    );
    expect(withLocale('de', () => noteOf(fit))).toMatch(
      /^Ohne Text: Seite 3\. Unsichtbarer Text auf Seite 2/,
    );
  });

  test('keeps the stored sentence of an older attachment', () => {
    expect(describeLeftOut({ left_out: null, note: 'No text: page 2.' })).toBe('No text: page 2.');
  });

  test.each([
    [10, 2, 'Only page 1 of 10 and the beginning of the next fit; the rest is left out.'],
    [1, 1, 'Only the beginning fits; the rest is left out.'],
  ])('cuts %i pages to fit the limit and says where', (count, read, note) => {
    const page = long.repeat(count === 1 ? 9 : 2);
    const fit = fitDocument(pdf(Array.from({ length: count }, () => page)), 350);
    expect(fit).toMatchObject({ pages: count, pagesRead: read });
    expect(noteOf(fit)).toBe(note);
    expect(estimateTokens(fit.text)).toBeLessThanOrEqual(350);
    expect(estimateTokens(fit.text)).toBeGreaterThan(300);
    expect(fit.text).toMatch(/\b(seven|words|of|a|page|to|read)$/);
  });

  test.each(['世界和平', '👩‍🚀', 'x'])(
    'cuts %s, which has no word boundaries, but never inside a character',
    (text) => {
      const fit = fitDocument(pdf([text.repeat(5_000)]), 500);
      expect(estimateTokens(fit.text)).toBeLessThanOrEqual(500);
      expect(fit.text.isWellFormed()).toBe(true);
      expect(fit.text).not.toContain('\ufffd');
      expect(fit.text.length).toBeGreaterThan(300);
    },
  );

  test.each([
    ['[Page 2]', '(Page 2)'],
    ['  [ page\t12 ]  ', '(page 12)'],
    ['See [Page 2] above', 'See [Page 2] above'],
  ])('rewrites lines that look like page marks: %j', (line, shown) => {
    const { text } = fitDocument(pdf([`Before.\n${line}\nAfter.`, line]), 8000);
    expect(text).toBe(`[Page 1]\nBefore.\n${shown}\nAfter.\n\n[Page 2]\n${shown}`);
  });

  test('cleans the text of a page', () => {
    expect(fitDocument(pdf(['a\0b \t c\u0007\n\n\n\n d \ud800']), 100).text).toBe(
      '[Page 1]\nab c\n\nd \ufffd',
    );
  });
});
