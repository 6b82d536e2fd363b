import { z } from 'zod';
import { type RunContext, RunFailure } from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { UnreadableDocument } from '#platform/document-reader/document-text.server.ts';
import type {
  LinesOfPage,
  PageText,
  SearchAnswer,
  SearchRequest,
  TextMatch,
} from '#platform/document-reader/reader-protocol.ts';
import { searchPages } from '#platform/document-reader/search-process.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { Keyword, PageBox, PageMarks, Quote } from './contract.ts';
import type { DocumentFailure } from './document-failures.server.ts';
import { pagesOf } from './store.server.ts';

const QUOTE_LENGTH = 2_000;

const quote = z.object({
  page: z.int().describe('The number of the page that holds the words'),
  words: z.string().describe('Words of the document, copied exactly'),
});
export const quotesSchema = z.array(quote).describe('One or two');
const MAX_QUOTES = 4;
export type ModelQuote = z.infer<typeof quote>;

export interface SourcePage extends PageText {
  boxes: Int32Array;
}

export async function loadPages(documentId: string): Promise<SourcePage[]> {
  const rows = await pagesOf(database(), documentId);
  return rows.map(({ page, text, boxes }) => ({ page, text, boxes: Int32Array.from(boxes) }));
}

/** @throws RunFailure when the search process is busy, crashes or times out */
async function search(
  { generationId, signal }: RunContext,
  pages: readonly SourcePage[],
  request: Omit<SearchRequest, 'pages'>,
): Promise<SearchAnswer> {
  const texts = pages.map(({ page, text }) => ({ page, text }));
  try {
    return await searchPages({ pages: texts, ...request }, { key: generationId, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof Problem)
      throw new RunFailure('busy', 'pdfs_busy_analyzing' satisfies DocumentFailure);
    if (error instanceof UnreadableDocument)
      throw new RunFailure(error.failure, 'pdfs_too_complex_search' satisfies DocumentFailure, error.message);
    throw error;
  }
}

export async function findPassages(
  context: RunContext,
  pages: readonly SourcePage[],
  rank: { question: string; bytes: number },
): Promise<PageText[]> {
  return (await search(context, pages, { rank })).passages;
}

const rounded = (tenths: number) => Math.round(tenths) / 10;

export function marksOf(boxes: Int32Array, { page, lines }: LinesOfPage): PageMarks {
  const boxOf = ([first, last]: [number, number]): PageBox => {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let word = first; word <= last; word++) {
      const [x = 0, y = 0, width = 0, height = 0] = boxes.subarray(word * 4, word * 4 + 4);
      [x0, y0, x1, y1] = [
        Math.min(x0, x),
        Math.min(y0, y),
        Math.max(x1, x + width),
        Math.max(y1, y + height),
      ];
    }
    return [rounded(x0), rounded(y0), rounded(x1 - x0), rounded(y1 - y0)];
  };
  return { page, boxes: lines.map(boxOf) };
}

export function verifiedQuotes(
  quotes: readonly ModelQuote[],
  find: (quote: ModelQuote) => TextMatch | null | undefined,
  marks: (place: LinesOfPage) => PageMarks,
  max = MAX_QUOTES,
): Quote[] {
  const found = new Map<string, Quote>();
  for (const quote of quotes.slice(0, max)) {
    const match = find(quote);
    if (match) found.set(match.text, { text: match.text, places: match.places.map(marks) });
  }
  return [...found.values()];
}

export interface Evidence {
  verifyQuotes: (quotes: readonly ModelQuote[]) => Quote[];
  keywords: Keyword[];
}

export async function findEvidence(
  context: RunContext,
  pages: readonly SourcePage[],
  { quotes, keywords = [] }: { quotes: ReadonlyArray<readonly ModelQuote[]>; keywords?: string[] },
): Promise<Evidence> {
  const queries = quotes.flatMap((group) => group.slice(0, MAX_QUOTES));
  const { found, counted } = await search(context, pages, {
    find: queries.map(({ words, page }) => ({ words: words.slice(0, QUOTE_LENGTH), page })),
    count: keywords,
  });
  const matches = new Map(queries.map((quote, index) => [quote, found[index]]));
  const boxes = new Map(pages.map((page) => [page.page, page.boxes]));
  const marks = (place: LinesOfPage) => marksOf(boxes.get(place.page)!, place);
  return {
    verifyQuotes: (group) => verifiedQuotes(group, (quote) => matches.get(quote), marks),
    keywords: keywords.flatMap((word, index) => {
      const { count, places } = counted[index]!;
      return count > 0 ? [{ word, count, places: places.map(marks) }] : [];
    }),
  };
}
