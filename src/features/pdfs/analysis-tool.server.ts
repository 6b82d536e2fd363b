import { z } from 'zod';
import {
  callFailure,
  contextTokens,
  type RunContext,
  RunFailure,
} from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { PageText } from '#platform/document-reader/reader-protocol.ts';
import { log } from '#platform/log.server.ts';
import { estimateTokens } from '#shared/token-estimate.ts';
import { type Findings, findingLimits, type Keyword, type Statement } from './contract.ts';
import type { DocumentFailure } from './document-failures.server.ts';
import { splitIntoParts } from './document-parts.server.ts';
import { documentTool, progressLine } from './document-run.server.ts';
import {
  type Evidence,
  findEvidence,
  loadPages,
  quotesSchema,
  type SourcePage,
} from './document-search.server.ts';
import { documentById, setResult } from './store.server.ts';
import { cleanAnswer, framedPages, generateObject } from './structured-output.server.ts';

/** Tokens of one answer, and of the instructions and schema. */
const ANSWER_TOKENS = 2_000;
const FRAME_TOKENS = 1_500;
const PART_TOKENS = 10_000;
const MIN_TOKENS = 500;
/** Tokens of the number in front of a line. */
const NUMBER_TOKENS = 3;
/** No part is started after this time; the last two calls may exceed it. */
const TIME_LIMIT_MS = 14 * 60_000;

const partSchema = z.object({
  statements: z
    .array(z.object({ text: z.string().describe('One sentence'), quotes: quotesSchema }))
    .describe('What this part says, its main points in order'),
  questions: z
    .array(z.object({ question: z.string(), answer: z.string(), quotes: quotesSchema }))
    .describe('Questions that a reader would ask and this part answers'),
  keywords: z.array(z.string()).describe('Terms as they stand in the text'),
});

const mergeSchema = z.object({
  summary: z.array(z.object({ text: z.string(), from: z.array(z.int()) })),
  questions: z.array(z.int()),
});

const INSTRUCTION = `You work through one part of a document for a reader who wants to know what it says and where.
Give up to 6 statements that sum this part up, up to 4 questions with their answers, and up to 12 keywords. Write in the language of the document.
Each statement and each answer needs one or two quotes: words of the document, copied exactly, at least five words long, with the number of their page. Say nothing that the quotes do not show. Leave out what is only a heading, a page number or a list of contents.`;

const MERGE = `You get numbered statements and numbered questions that were found in the parts of one document.
Write the summary of the whole document in up to ${findingLimits.summary} sentences, each made from one to three of the statements, whose numbers it names in "from". Say nothing that they do not say. In "questions" name the numbers of up to ${findingLimits.questions} questions that matter most. Write in the language of the statements.`;

const answerTokens = () => Math.min(ANSWER_TOKENS, Math.floor(contextTokens() / 4));

const partTokens = () =>
  Math.max(MIN_TOKENS, Math.min(PART_TOKENS, contextTokens() - answerTokens() - FRAME_TOKENS));

type PartAnswer = z.infer<typeof partSchema>;

/** Drops statements and answers whose quotes are not in the document. */
function addPart(findings: Findings, { statements, questions }: PartAnswer, evidence: Evidence): void {
  for (const { text, quotes } of statements) {
    const found = evidence.verifyQuotes(quotes);
    if (found.length === 0 || cleanAnswer(text) === '') findings.unsupported++;
    else if (!findings.summary.some((known) => known.text === cleanAnswer(text)))
      findings.summary.push({ text: cleanAnswer(text), quotes: found });
  }
  for (const { question, answer, quotes } of questions) {
    const found = evidence.verifyQuotes(quotes);
    if (found.length === 0 || cleanAnswer(question) === '' || cleanAnswer(answer) === '')
      findings.unsupported++;
    else if (
      !findings.questions.some((known) => known.question === cleanAnswer(question, findingLimits.question))
    )
      findings.questions.push({
        question: cleanAnswer(question, findingLimits.question),
        answer: cleanAnswer(answer),
        quotes: found,
      });
  }
}

class FindingsCollector {
  readonly #context: RunContext;
  readonly #pages: SourcePage[];
  readonly #keywords = new Map<string, Keyword>();
  readonly findings: Findings = { summary: [], questions: [], keywords: [], pagesUsed: 0, unsupported: 0 };

  constructor(context: RunContext, pages: SourcePage[]) {
    this.#context = context;
    this.#pages = pages;
  }

  /** @param lastPage the last page that was read to its end */
  async add(answer: PartAnswer, lastPage: number): Promise<void> {
    const part = {
      statements: answer.statements.slice(0, 8),
      questions: answer.questions.slice(0, 6),
      keywords: answer.keywords.slice(0, 20).map((word) => cleanAnswer(word, findingLimits.keyword)),
    };
    const evidence = await findEvidence(this.#context, this.#pages, {
      quotes: [...part.statements, ...part.questions].map(({ quotes }) => quotes),
      keywords: part.keywords.filter((word) => !this.#keywords.has(word.toLowerCase())),
    });
    addPart(this.findings, part, evidence);
    for (const keyword of evidence.keywords) {
      const key = keyword.word.toLowerCase();
      if (!this.#keywords.has(key)) this.#keywords.set(key, keyword);
    }
    const keywords = [...this.#keywords.values()].sort((a, b) => b.count - a.count);
    Object.assign(this.findings, {
      keywords: keywords.slice(0, findingLimits.keywords),
      pagesUsed: lastPage,
    });
  }
}

function sampleEvenly<T>(all: T[], max: number): T[] {
  if (all.length <= max) return all;
  return Array.from({ length: max }, (_, index) => all[Math.floor((index * all.length) / max)]!);
}

/** Samples as many items as fit in the tokens, evenly from the whole document. */
function sampleToFit<T>(all: T[], textOf: (one: T) => string, tokens: number): T[] {
  const average = estimateTokens(all.map(textOf).join('\n')) / Math.max(1, all.length) + NUMBER_TOKENS;
  return sampleEvenly(all, Math.floor(tokens / average));
}

const countTokens = (part: readonly PageText[]) =>
  part.reduce((sum, { text }) => sum + estimateTokens(text), 0);

/** @param tokens size of a request that the model has already accepted */
async function merge(context: RunContext, findings: Findings, tokens: number): Promise<Findings> {
  const statements = sampleToFit(findings.summary, ({ text }) => text, tokens * 0.7);
  const questions = sampleToFit(findings.questions, ({ question }) => question, tokens * 0.3);
  const numbered = (texts: string[]) => texts.map((text, index) => `${index + 1}. ${text}`).join('\n');
  const content = `Statements:\n${numbered(statements.map(({ text }) => text))}\n\nQuestions:\n${numbered(questions.map(({ question }) => question))}`;
  const merged = await generateObject({
    context,
    purpose: 'pdf-summary',
    name: 'document_summary',
    schema: mergeSchema,
    messages: [
      { role: 'system', content: MERGE },
      { role: 'user', content },
    ],
    maxTokens: answerTokens(),
  });
  const summary = merged.summary.slice(0, findingLimits.summary).flatMap(({ text, from }): Statement[] => {
    const quotes = from.slice(0, 3).flatMap((n) => statements[n - 1]?.quotes ?? []);
    const distinct = [...new Map(quotes.map((quote) => [quote.text, quote])).values()];
    return distinct.length > 0 && cleanAnswer(text) !== ''
      ? [{ text: cleanAnswer(text), quotes: distinct }]
      : [];
  });
  const chosen = [...new Set(merged.questions)]
    .flatMap((n) => questions[n - 1] ?? [])
    .slice(0, findingLimits.questions);
  return {
    ...findings,
    summary: summary.length > 0 ? summary : sampleEvenly(findings.summary, findingLimits.summary),
    questions: chosen.length > 0 ? chosen : sampleEvenly(findings.questions, findingLimits.questions),
  };
}

/** Keeps the statements of the parts if the merge fails; they are backed by quotes as well. */
async function mergeOrKeepParts(context: RunContext, findings: Findings, tokens: number): Promise<Findings> {
  try {
    return await merge(context, findings, tokens);
  } catch (error) {
    if (context.signal.aborted) throw error;
    log.warn({ error, generation: context.generationId }, 'the parts of a document could not be summarized');
    return {
      ...findings,
      summary: sampleEvenly(findings.summary, findingLimits.summary),
      questions: sampleEvenly(findings.questions, findingLimits.questions),
    };
  }
}

const analyzePart = (context: RunContext, name: string, part: PageText[]) =>
  generateObject({
    context,
    purpose: 'pdf-part',
    name: 'document_part',
    schema: partSchema,
    messages: [
      { role: 'system', content: INSTRUCTION },
      { role: 'user', content: framedPages(name, context.generationId, part) },
    ],
    maxTokens: answerTokens(),
  });

/**
 * Splits the remaining pages into smaller parts after a context-length error. Returns null for other errors, or if that
 * gives no smaller parts.
 */
function smallerParts(error: unknown, remaining: PageText[][]): PageText[][] | null {
  if (callFailure(error)?.kind !== 'context_length') return null;
  const parts = splitIntoParts(remaining.flat(), partTokens());
  return parts.length > remaining.length ? parts : null;
}

export const analysisTool = documentTool('pdf', async function* ({ context, documentId }) {
  const deadline = performance.now() + TIME_LIMIT_MS;
  const document = await documentById(database(), documentId);
  if (!document) throw new RunFailure('gone', 'pdfs_gone' satisfies DocumentFailure);
  const pages = await loadPages(document.id);
  const parts = splitIntoParts(pages, partTokens());
  const collector = new FindingsCollector(context, pages);
  if (parts.length === 0) throw new RunFailure('gone', 'pdfs_gone' satisfies DocumentFailure);
  let hasSplit = false;
  for (let index = 0; index < parts.length; ) {
    // Out of time: summarize what has been read; `pagesUsed` shows how far that is.
    if (index > 0 && performance.now() > deadline) break;
    const part = parts[index]!;
    const lastPage = part.at(-1)!.page;
    yield progressLine({ page: lastPage, of: document.pages });
    try {
      const continues = parts[index + 1]?.[0]?.page === lastPage;
      await collector.add(
        await analyzePart(context, document.name, part),
        continues ? lastPage - 1 : lastPage,
      );
    } catch (error) {
      const smaller = hasSplit ? null : smallerParts(error, parts.slice(index));
      if (!smaller) throw error;
      hasSplit = true;
      parts.splice(index, Infinity, ...smaller);
      continue;
    }
    await setResult(database(), context.generationId, collector.findings);
    index++;
    yield progressLine({ parts: index, of: parts.length });
  }
  yield progressLine({ step: 'summary' });
  const { findings: collected } = collector;
  const findings =
    parts.length > 1
      ? await mergeOrKeepParts(context, collected, Math.max(...parts.map(countTokens)))
      : collected;
  if (findings.summary.length + findings.questions.length === 0)
    throw new RunFailure('unsupported', 'pdfs_unsupported' satisfies DocumentFailure);
  return findings;
});
