import { z } from 'zod';
import { UnreadableDocument } from '#platform/document-reader/document-text.server.ts';
import type { LinesOfPage, SearchAnswer } from '#platform/document-reader/reader-protocol.ts';
import { searchPages } from '#platform/document-reader/search-process.server.ts';
import { cleanText, cutText } from '#shared/clean-text.ts';
import { type Answer, documentLimits, type Findings, findingLimits, type Statement } from './contract.ts';
import { type ModelQuote, marksOf, type SourcePage, verifiedQuotes } from './document-search.server.ts';
import type { RunRecord } from './store.server.ts';
import { cleanAnswer } from './structured-output.server.ts';

/** Only the newest analyses and questions of a document are imported. */
const MAX_ANALYSES = 2;
const MAX_QUESTIONS = 100;
/** A merged statement can have the quotes of three statements, with four each. */
const MAX_QUOTES = 12;
/** UTF-16 units; the words of a real quote are at most half as long. */
const QUOTE_LENGTH = 4_000;
/** Quotes per search. */
const BATCH_SIZE = 200;

const quoteSchema = z.object({
  text: z.string(),
  places: z
    .array(z.object({ page: z.int() }))
    .min(1)
    .max(50),
});
const quoted = { quotes: z.array(quoteSchema) };
const statements = z.array(z.object({ text: z.string(), ...quoted }));
const unsupported = z.int().min(0).max(10_000);
const resultSchemas = {
  analysis: z.object({
    summary: statements,
    questions: z.array(z.object({ question: z.string(), answer: z.string(), ...quoted })),
    keywords: z.array(z.object({ word: z.string() })),
    pagesUsed: z.int().min(0),
    unsupported,
  }),
  question: z.object({ statements, unsupported }),
};
type ParsedResults = {
  analysis: z.infer<typeof resultSchemas.analysis>;
  question: z.infer<typeof resultSchemas.question>;
};

export interface ImportedRun {
  kind: string;
  question: string | null;
  /** As in the export file. */
  result: unknown;
  createdAt: Date;
}

export interface CheckedRun extends Pick<RunRecord, 'kind' | 'question'> {
  result: Findings | Answer;
  createdAt: Date;
}

type VerifyQuotes = (quotes: z.infer<typeof quoteSchema>[]) => Statement['quotes'];

/**
 * What to look up in the document, and `check`, which reduces the result to what was found; null if nothing is left.
 */
interface Lookup {
  quotes: ModelQuote[];
  keywords: string[];
  check(
    evidence: { verifyQuotes: VerifyQuotes; keywords: Findings['keywords'] },
    pages: number,
  ): Findings | Answer | null;
}

const toModelQuotes = (quotes: z.infer<typeof quoteSchema>[]): ModelQuote[] =>
  quotes
    .slice(0, MAX_QUOTES)
    .map(({ text, places }) => ({ words: text.slice(0, QUOTE_LENGTH), page: places[0]?.page ?? 1 }));

function checkStatements(
  result: ParsedResults['question']['statements'],
  verifyQuotes: VerifyQuotes,
): Statement[] {
  return result
    .map(({ text, quotes }) => ({ text: cleanAnswer(text), quotes: verifyQuotes(quotes) }))
    .filter(({ text, quotes }) => text !== '' && quotes.length > 0);
}

function checkAnalysis(result: ParsedResults['analysis']): Lookup {
  const summary = result.summary.slice(0, findingLimits.summary);
  const questions = result.questions.slice(0, findingLimits.questions);
  const keywords = result.keywords
    .slice(0, findingLimits.keywords)
    .map(({ word }) => cleanAnswer(word, findingLimits.keyword));
  return {
    quotes: [...summary, ...questions].flatMap(({ quotes }) => toModelQuotes(quotes)),
    keywords,
    check(evidence, pages) {
      const verified = checkStatements(summary, evidence.verifyQuotes);
      const answered = questions
        .map(({ question, answer, quotes }) => ({
          question: cleanAnswer(question, findingLimits.question),
          answer: cleanAnswer(answer),
          quotes: evidence.verifyQuotes(quotes),
        }))
        .filter(({ question, answer, quotes }) => question !== '' && answer !== '' && quotes.length > 0);
      if (verified.length + answered.length === 0) return null;
      const dropped = summary.length - verified.length + questions.length - answered.length;
      return {
        ...{ summary: verified, questions: answered, keywords: evidence.keywords },
        pagesUsed: Math.min(result.pagesUsed, pages),
        unsupported: result.unsupported + dropped,
      };
    },
  };
}

function checkAnswer(result: ParsedResults['question']): Lookup {
  const stated = result.statements.slice(0, findingLimits.statements);
  return {
    quotes: stated.flatMap(({ quotes }) => toModelQuotes(quotes)),
    keywords: [],
    check({ verifyQuotes }) {
      const verified = checkStatements(stated, verifyQuotes);
      // An empty list is valid: the document does not answer the question.
      if (stated.length > 0 && verified.length === 0) return null;
      return { statements: verified, unsupported: result.unsupported + stated.length - verified.length };
    },
  };
}

interface ParsedRun extends Omit<CheckedRun, 'result'> {
  lookup: Lookup;
}

function parseRun({ kind, question, result, createdAt }: ImportedRun): ParsedRun | null {
  if (kind === 'analysis') {
    const { data } = resultSchemas.analysis.safeParse(result);
    return data ? { kind, question: null, createdAt, lookup: checkAnalysis(data) } : null;
  }
  const { data } = resultSchemas.question.safeParse(result);
  const cleanQuestion = cutText(cleanText(question ?? '').trim(), documentLimits.question);
  if (kind !== 'question' || !data || cleanQuestion === '') return null;
  return { kind, question: cleanQuestion, createdAt, lookup: checkAnswer(data) };
}

/** Returns null if the document is too complex to search. @throws Problem unavailable */
async function search(
  key: string,
  pages: readonly SourcePage[],
  batch: readonly ParsedRun[],
): Promise<SearchAnswer | null> {
  const request = {
    pages: pages.map(({ page, text }) => ({ page, text })),
    find: batch.flatMap(({ lookup }) => lookup.quotes),
    count: batch.flatMap(({ lookup }) => lookup.keywords),
  };
  return searchPages(request, { key, signal: new AbortController().signal }).catch((error: unknown) => {
    if (error instanceof UnreadableDocument) return null;
    throw error;
  });
}

/** Groups runs whose quotes are searched together. */
function* batchesOf(runs: readonly ParsedRun[]): Generator<ParsedRun[]> {
  let batch: ParsedRun[] = [];
  let quotes = 0;
  for (const run of runs) {
    batch.push(run);
    quotes += run.lookup.quotes.length;
    if (quotes < BATCH_SIZE) continue;
    yield batch;
    [batch, quotes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Reduces results of an archive to what the document proves. Each quote is looked up here and gets its place, because
 * the archive cannot be trusted. Results with nothing left are dropped.
 * @throws Problem unavailable while too many searches run
 */
export async function checkRuns(
  key: string,
  { pages, pageCount }: { pages: readonly SourcePage[]; pageCount: number },
  runs: readonly ImportedRun[],
): Promise<CheckedRun[]> {
  const parsed = runs.flatMap((run) => parseRun(run) ?? []);
  const newest = (kind: RunRecord['kind'], max: number) =>
    parsed.filter((run) => run.kind === kind).slice(-max);
  const boxes = new Map(pages.map((page) => [page.page, page.boxes]));
  const marks = (place: LinesOfPage) => marksOf(boxes.get(place.page) ?? new Int32Array(), place);
  const checked: CheckedRun[] = [];
  for (const batch of batchesOf([
    ...newest('analysis', MAX_ANALYSES),
    ...newest('question', MAX_QUESTIONS),
  ])) {
    const answer = await search(key, pages, batch);
    if (!answer) continue;
    const [found, counted] = [answer.found.values(), answer.counted.values()];
    for (const { lookup, ...run } of batch) {
      const matches = new Map(
        lookup.quotes.map(({ words, page }) => [`${page} ${words}`, found.next().value]),
      );
      const verifyQuotes: VerifyQuotes = (quotes) =>
        verifiedQuotes(
          toModelQuotes(quotes),
          ({ words, page }) => matches.get(`${page} ${words}`),
          marks,
          MAX_QUOTES,
        );
      const keywords = lookup.keywords.flatMap((word) => {
        const { count = 0, places = [] } = counted.next().value ?? {};
        return count > 0 ? [{ word, count, places: places.map(marks) }] : [];
      });
      const result = lookup.check({ verifyQuotes, keywords }, pageCount);
      if (result) checked.push({ ...run, result });
    }
  }
  return checked;
}
