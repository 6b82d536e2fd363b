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
const ANALYSES = 2;
const QUESTIONS = 100;
/** A merged statement can have the quotes of three statements, with four each. */
const QUOTES = 12;
/** UTF-16 units; the words of a real quote are at most half as long. */
const QUOTE = 4_000;
/** Quotes per search. */
const BATCH = 200;

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
type Given = {
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

type QuotesOf = (quotes: z.infer<typeof quoteSchema>[]) => Statement['quotes'];

/**
 * What to look up in the document, and `check`, which reduces the result to what was found; null if nothing is left.
 */
interface Checking {
  quotes: ModelQuote[];
  keywords: string[];
  check(
    evidence: { quotesOf: QuotesOf; keywords: Findings['keywords'] },
    pages: number,
  ): Findings | Answer | null;
}

const soughtIn = (quotes: z.infer<typeof quoteSchema>[]): ModelQuote[] =>
  quotes
    .slice(0, QUOTES)
    .map(({ text, places }) => ({ words: text.slice(0, QUOTE), page: places[0]?.page ?? 1 }));

function checkStatements(given: Given['question']['statements'], quotesOf: QuotesOf): Statement[] {
  return given
    .map(({ text, quotes }) => ({ text: cleanAnswer(text), quotes: quotesOf(quotes) }))
    .filter(({ text, quotes }) => text !== '' && quotes.length > 0);
}

function checkAnalysis(given: Given['analysis']): Checking {
  const summary = given.summary.slice(0, findingLimits.summary);
  const questions = given.questions.slice(0, findingLimits.questions);
  const keywords = given.keywords
    .slice(0, findingLimits.keywords)
    .map(({ word }) => cleanAnswer(word, findingLimits.keyword));
  return {
    quotes: [...summary, ...questions].flatMap(({ quotes }) => soughtIn(quotes)),
    keywords,
    check(evidence, pages) {
      const held = checkStatements(summary, evidence.quotesOf);
      const answered = questions
        .map(({ question, answer, quotes }) => ({
          question: cleanAnswer(question, findingLimits.question),
          answer: cleanAnswer(answer),
          quotes: evidence.quotesOf(quotes),
        }))
        .filter(({ question, answer, quotes }) => question !== '' && answer !== '' && quotes.length > 0);
      if (held.length + answered.length === 0) return null;
      const lost = summary.length - held.length + questions.length - answered.length;
      return {
        ...{ summary: held, questions: answered, keywords: evidence.keywords },
        pagesUsed: Math.min(given.pagesUsed, pages),
        unsupported: given.unsupported + lost,
      };
    },
  };
}

function checkAnswer(given: Given['question']): Checking {
  const stated = given.statements.slice(0, findingLimits.statements);
  return {
    quotes: stated.flatMap(({ quotes }) => soughtIn(quotes)),
    keywords: [],
    check({ quotesOf }) {
      const held = checkStatements(stated, quotesOf);
      // An empty list is valid: the document does not answer the question.
      if (stated.length > 0 && held.length === 0) return null;
      return { statements: held, unsupported: given.unsupported + stated.length - held.length };
    },
  };
}

interface ReadyRun extends Omit<CheckedRun, 'result'> {
  checking: Checking;
}

function readRun({ kind, question, result, createdAt }: ImportedRun): ReadyRun | null {
  if (kind === 'analysis') {
    const { data } = resultSchemas.analysis.safeParse(result);
    return data ? { kind, question: null, createdAt, checking: checkAnalysis(data) } : null;
  }
  const { data } = resultSchemas.question.safeParse(result);
  const asked = cutText(cleanText(question ?? '').trim(), documentLimits.question);
  if (kind !== 'question' || !data || asked === '') return null;
  return { kind, question: asked, createdAt, checking: checkAnswer(data) };
}

/** Returns null if the document is too complex to search. @throws Problem unavailable */
async function search(
  key: string,
  pages: readonly SourcePage[],
  batch: readonly ReadyRun[],
): Promise<SearchAnswer | null> {
  const request = {
    pages: pages.map(({ page, text }) => ({ page, text })),
    find: batch.flatMap(({ checking }) => checking.quotes),
    count: batch.flatMap(({ checking }) => checking.keywords),
  };
  return searchPages(request, { key, signal: new AbortController().signal }).catch((error: unknown) => {
    if (error instanceof UnreadableDocument) return null;
    throw error;
  });
}

/** Groups runs whose quotes are searched together. */
function* batchesOf(runs: readonly ReadyRun[]): Generator<ReadyRun[]> {
  let batch: ReadyRun[] = [];
  let quotes = 0;
  for (const run of runs) {
    batch.push(run);
    quotes += run.checking.quotes.length;
    if (quotes < BATCH) continue;
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
  { pages, of }: { pages: readonly SourcePage[]; of: number },
  runs: readonly ImportedRun[],
): Promise<CheckedRun[]> {
  const read = runs.flatMap((run) => readRun(run) ?? []);
  const newest = (kind: RunRecord['kind'], most: number) =>
    read.filter((run) => run.kind === kind).slice(-most);
  const boxes = new Map(pages.map((page) => [page.page, page.boxes]));
  const marks = (place: LinesOfPage) => marksOf(boxes.get(place.page) ?? new Int32Array(), place);
  const checked: CheckedRun[] = [];
  for (const batch of batchesOf([...newest('analysis', ANALYSES), ...newest('question', QUESTIONS)])) {
    const answer = await search(key, pages, batch);
    if (!answer) continue;
    const [found, counted] = [answer.found.values(), answer.counted.values()];
    for (const { checking, ...run } of batch) {
      const matches = new Map(
        checking.quotes.map(({ words, page }) => [`${page} ${words}`, found.next().value]),
      );
      const quotesOf: QuotesOf = (quotes) =>
        verifiedQuotes(soughtIn(quotes), ({ words, page }) => matches.get(`${page} ${words}`), marks, QUOTES);
      const keywords = checking.keywords.flatMap((word) => {
        const { count = 0, places = [] } = counted.next().value ?? {};
        return count > 0 ? [{ word, count, places: places.map(marks) }] : [];
      });
      const result = checking.check({ quotesOf, keywords }, of);
      if (result) checked.push({ ...run, result });
    }
  }
  return checked;
}
