import { z } from 'zod';
import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { estimateTokens } from '../../../shared/tokens.ts';
import { callFailure } from '../../generations/calls/service.server.ts';
import { contextTokens } from '../../generations/context/service.server.ts';
import type { RunContext, Tool } from '../../generations/engine/service.server.ts';
import { start } from '../../generations/service.server.ts';
import { RunFailure } from '../../generations/verdict/service.server.ts';
import { askForObject, framed, proven, quotesSchema, said } from '../asking/service.server.ts';
import type { Findings, Keyword, ProgressLine, StartedDocumentRun, Statement } from '../contract.ts';
import { oneAtATime, pace, type Rest } from '../pace/service.server.ts';
import { heldPages } from '../pages/service.server.ts';
import { Source } from '../quotes/service.server.ts';
import { ownRecord } from '../service.server.ts';
import { documentById, endStatement, runStatement, setResult } from '../store.server.ts';

export interface DocumentPayload {
  documentId: string;
}

/** Tokens of one answer, and what instructions and schema take. */
const ANSWER_TOKENS = 2_000;
const FRAME_TOKENS = 1_500;
const PART_TOKENS = 10_000;
const LEAST_TOKENS = 500;
/** In all, after which no further part is begun; the last two calls may go beyond it. */
const TOTAL_MS = 14 * 60_000;
const GONE = 'This document is not there any more.';
/** More is no summary. */
const SUMMARY = 12;
const QUESTIONS = 10;
const KEYWORDS = 24;

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
Write the summary of the whole document in up to ${SUMMARY} sentences, each made from one to three of the statements, whose numbers it names in "from". Say nothing that they do not say. In "questions" name the numbers of up to ${QUESTIONS} questions that matter most. Write in the language of the statements.`;

interface TextPage {
  page: number;
  text: string;
}

/** Tokens that an answer may have: of a small context no more than a quarter. */
const answerTokens = () => Math.min(ANSWER_TOKENS, Math.floor(contextTokens() / 4));

/** Pages in parts, each with as much text as one request may hold; a page that is longer is a part of its own, cut. */
function partsOf(pages: readonly TextPage[]): TextPage[][] {
  const room = contextTokens() - answerTokens() - FRAME_TOKENS;
  const budget = Math.max(LEAST_TOKENS, Math.min(PART_TOKENS, room));
  const parts: TextPage[][] = [];
  let left = 0;
  for (const { page, text } of pages) {
    const tokens = estimateTokens(text);
    if (parts.length === 0 || tokens > left) {
      parts.push([]);
      left = budget;
    }
    parts.at(-1)!.push({ page, text: tokens > budget ? text.slice(0, budget * 3) : text });
    left -= tokens;
  }
  return parts;
}

const line = (progress: ProgressLine) => `${JSON.stringify(progress)}\n`;

/** What has been found of one document while its parts are read. */
class Reading {
  readonly #source: Source;
  readonly #rest: Rest;
  readonly #keywords = new Map<string, Keyword>();
  readonly findings: Findings = { summary: [], questions: [], keywords: [], pagesUsed: 0, unsupported: 0 };

  constructor(source: Source, rest: Rest) {
    this.#source = source;
    this.#rest = rest;
  }

  /** Takes what the model says of a part: what no words of the document hold is left out. */
  async take(part: z.infer<typeof partSchema>, lastPage: number): Promise<void> {
    const { findings } = this;
    for (const { text, quotes } of part.statements.slice(0, 8)) {
      await this.#rest();
      const found = proven(this.#source, quotes);
      if (found.length === 0 || said(text) === '') findings.unsupported++;
      else if (!findings.summary.some((known) => known.text === said(text)))
        findings.summary.push({ text: said(text), quotes: found });
    }
    for (const { question, answer, quotes } of part.questions.slice(0, 6)) {
      await this.#rest();
      const found = proven(this.#source, quotes);
      if (found.length === 0 || said(question) === '' || said(answer) === '') findings.unsupported++;
      else if (!findings.questions.some((known) => known.question === said(question, 300)))
        findings.questions.push({ question: said(question, 300), answer: said(answer), quotes: found });
    }
    for (const given of part.keywords.slice(0, 20)) {
      await this.#rest();
      this.#keyword(said(given, 60));
    }
    findings.keywords = [...this.#keywords.values()].sort((a, b) => b.count - a.count).slice(0, KEYWORDS);
    findings.pagesUsed = lastPage;
  }

  /** Counted in the text itself; one that does not stand there is none. */
  #keyword(word: string): void {
    const key = word.toLowerCase();
    if (key === '' || this.#keywords.has(key)) return;
    const { count, places } = this.#source.count(word);
    if (count > 0) this.#keywords.set(key, { word, count, places });
  }
}

/** Some of a list, evenly taken. */
function sample<T>(all: T[], most: number): T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)]!);
}

/** One summary out of those of the parts: its sentences keep the quotes of what they are made from. */
async function merge(context: RunContext, findings: Findings): Promise<Findings> {
  const statements = sample(findings.summary, 60);
  const questions = sample(findings.questions, 40);
  const numbered = (texts: string[]) => texts.map((text, index) => `${index + 1}. ${text}`).join('\n');
  const content = `Statements:\n${numbered(statements.map(({ text }) => text))}\n\nQuestions:\n${numbered(questions.map(({ question }) => question))}`;
  const merged = await askForObject({
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
  const summary = merged.summary.slice(0, SUMMARY).flatMap(({ text, from }): Statement[] => {
    const quotes = from.slice(0, 3).flatMap((n) => statements[n - 1]?.quotes ?? []);
    const each = [...new Map(quotes.map((quote) => [quote.text, quote])).values()];
    return each.length > 0 && said(text) !== '' ? [{ text: said(text), quotes: each }] : [];
  });
  const chosen = [...new Set(merged.questions)].flatMap((n) => questions[n - 1] ?? []).slice(0, QUESTIONS);
  return {
    ...findings,
    summary: summary.length > 0 ? summary : sample(findings.summary, SUMMARY),
    questions: chosen.length > 0 ? chosen : sample(findings.questions, QUESTIONS),
  };
}

/** The merge, or where it fails the parts' own sentences: they are proven, and the document was read. */
async function whole(context: RunContext, findings: Findings): Promise<Findings> {
  try {
    return await merge(context, findings);
  } catch (error) {
    if (context.signal.aborted) throw error;
    log.warn({ error, generation: context.generationId }, 'the parts of a document could not be summed up');
    return {
      ...findings,
      summary: sample(findings.summary, SUMMARY),
      questions: sample(findings.questions, QUESTIONS),
    };
  }
}

/** What a run has found, for its closing. */
const results = new WeakMap<object, Findings>();

/** A document in parts, and its words to look them up in. */
function opened(context: RunContext, documentId: string, rest: Rest) {
  return oneAtATime(context, async () => {
    const pages = await heldPages(documentId, rest);
    return { parts: partsOf(pages), reading: new Reading(await Source.of(pages, rest), rest) };
  });
}

/** What the model says of one part. @throws GatewayError, RunFailure. */
const askOf = (context: RunContext, name: string, part: TextPage[]) =>
  askForObject({
    context,
    purpose: 'pdf-part',
    name: 'document_part',
    schema: partSchema,
    messages: [
      { role: 'system', content: INSTRUCTION },
      { role: 'user', content: framed(name, context.generationId.slice(-12), part) },
    ],
    maxTokens: answerTokens(),
  });

/** Smaller parts of what is left, after the model has said that it takes less; null where no smaller ones help. */
function smallerParts(error: unknown, left: TextPage[][]): TextPage[][] | null {
  if (callFailure(error)?.kind !== 'context_length') return null;
  const parts = partsOf(left.flat());
  return parts.length > left.length ? parts : null;
}

async function* run(context: RunContext, payload: DocumentPayload) {
  const until = performance.now() + TOTAL_MS;
  const document = await documentById(database(), payload.documentId);
  if (!document) throw new RunFailure('gone', GONE);
  const { parts, reading } = await opened(context, document.id, pace(context.signal));
  if (parts.length === 0) throw new RunFailure('gone', GONE);
  let cut = false;
  for (let index = 0; index < parts.length; ) {
    // What time is left for is summed up; the result says which pages were read.
    if (index > 0 && performance.now() > until) break;
    const part = parts[index]!;
    const last = part.at(-1)!.page;
    yield line({ page: last, of: document.pages });
    try {
      await reading.take(await askOf(context, document.name, part), last);
    } catch (error) {
      const smaller = cut ? null : smallerParts(error, parts.slice(index));
      if (!smaller) throw error;
      cut = true;
      parts.splice(index, Infinity, ...smaller);
      continue;
    }
    await setResult(database(), context.generationId, reading.findings);
    index++;
    yield line({ parts: index, of: parts.length });
  }
  yield line({ step: 'summary' });
  const findings = parts.length > 1 ? await whole(context, reading.findings) : reading.findings;
  if (findings.summary.length + findings.questions.length === 0)
    throw new RunFailure(
      'unsupported',
      'Nothing that the model said stands in this document. You were not charged.',
    );
  results.set(payload, findings);
  context.deliver();
  return { finish: 'stop' as const };
}

/** An analysis: charged once, when all of it is stored; what it found is stored part by part. */
export const analysisTool: Tool<DocumentPayload> = {
  feature: 'pdf',
  charges: 'units',
  run,
  store: ({ generationId, state, payload }, closing) =>
    endStatement(closing, generationId, state === 'done' ? (results.get(payload) ?? null) : null),
};

/** Starts the analysis of a document. @throws Problem not_found, and the refusals of admission. */
export async function startAnalysis({
  actor,
  input: { id, key },
}: {
  actor: UserActor;
  input: { id: string; key: string };
}): Promise<StartedDocumentRun> {
  const document = await ownRecord({ actor, input: { id } });
  const started = await start(actor, {
    feature: 'pdf',
    key,
    bound: ['analysis', document.id],
    payload: { documentId: document.id } satisfies DocumentPayload,
    write: (admission) =>
      runStatement(admission, { documentId: document.id, kind: 'analysis', question: null }),
  });
  return {
    generation: { id: started.generationId, state: started.state },
    credits: started.unlimited ? null : started.credits,
  };
}
