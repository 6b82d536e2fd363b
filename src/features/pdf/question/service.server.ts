import { z } from 'zod';
import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { cleanText } from '../../../shared/clean-text.ts';
import { contextTokens } from '../../generations/context/service.server.ts';
import type { RunContext, Tool } from '../../generations/engine/service.server.ts';
import { start } from '../../generations/service.server.ts';
import { RunFailure } from '../../generations/verdict/service.server.ts';
import { askForObject, framed, proven, quotesSchema, said } from '../asking/service.server.ts';
import type { Answer, ProgressLine, StartedDocumentRun, Statement } from '../contract.ts';
import type { SourcePage } from '../lookup/service.server.ts';
import { oneAtATime, pace, type Rest } from '../pace/service.server.ts';
import { heldPages } from '../pages/service.server.ts';
import { passagesFor } from '../passages/service.server.ts';
import { Source } from '../quotes/service.server.ts';
import { ownRecord } from '../service.server.ts';
import { documentById, endStatement, runStatement, runsOf } from '../store.server.ts';

interface QuestionPayload {
  documentId: string;
}

const ANSWER_TOKENS = 1_200;
const FRAME_TOKENS = 1_500;
const PASSAGE_TOKENS = 6_000;
const LEAST_TOKENS = 500;
const STATEMENTS = 8;

const answerSchema = z.object({
  answered: z.boolean().describe('Whether the passages answer the question'),
  statements: z
    .array(z.object({ text: z.string(), quotes: quotesSchema }))
    .describe('The answer, a sentence each'),
});

const INSTRUCTION = `You answer a question about a document from passages of it, and from nothing else. Where they do not answer it, set "answered" to false and give no statements.
Answer in up to five sentences in the language of the question. Each sentence needs one or two quotes: words of the passages, copied exactly, at least five words long, with the number of their page.`;

type Given = z.infer<typeof answerSchema>;

const line = (progress: ProgressLine) => `${JSON.stringify(progress)}\n`;

/** What a run has found, for its closing. */
const results = new WeakMap<object, Answer>();

/** Those pages that have one of these numbers, and their neighbours. */
function around(pages: readonly SourcePage[], numbers: ReadonlySet<number>): SourcePage[] {
  const near = pages.map((_, at) => [at - 1, at, at + 1].some((n) => numbers.has(pages[n]?.page ?? -1)));
  return pages.flatMap((page, at) => (near[at] ? [{ ...page, apart: at > 0 && !near[at - 1] }] : []));
}

/** What of an answer words of the document hold, sought on the pages that the model had or names. */
async function heldBy(pages: SourcePage[], { given, shown }: { given: Given; shown: number[] }, rest: Rest) {
  const stated = (given.answered ? given.statements : []).slice(0, STATEMENTS);
  const named = stated.flatMap(({ quotes }) => quotes.slice(0, 4).map(({ page }) => page));
  const source = await Source.of(around(pages, new Set([...shown, ...named])), rest);
  const held: Statement[] = [];
  for (const { text, quotes } of stated) {
    const statement = { text: said(text), quotes: proven(source, quotes) };
    const known = held.some((other) => other.text === statement.text);
    if (statement.text !== '' && statement.quotes.length > 0 && !known) held.push(statement);
    await rest();
  }
  return { statements: held, unsupported: stated.length - held.length };
}

async function* run(context: RunContext, payload: QuestionPayload) {
  yield line({ step: 'searching' });
  const document = await documentById(database(), payload.documentId);
  const rows = document ? await runsOf(database(), document.id, 50) : [];
  const question = rows.find(({ generation_id }) => generation_id === context.generationId)?.question;
  if (!document || !question) throw new RunFailure('gone', 'This document is not there any more.');
  const room = contextTokens() - ANSWER_TOKENS - FRAME_TOKENS;
  const tokens = Math.max(LEAST_TOKENS, Math.min(PASSAGE_TOKENS, room));
  const rest = pace(context.signal);
  const [pages, passages] = await oneAtATime(context, async () => {
    const held = await heldPages(document.id, rest);
    return [held, await passagesFor(held, { question, tokens, rest })] as const;
  });
  yield line({ step: 'answering' });
  const edge = context.generationId.slice(-12);
  const given = await askForObject({
    context,
    purpose: 'pdf-question',
    name: 'document_answer',
    schema: answerSchema,
    messages: [
      { role: 'system', content: INSTRUCTION },
      { role: 'user', content: `${framed(document.name, edge, passages)}\n\nThe question:\n${question}` },
    ],
    maxTokens: ANSWER_TOKENS,
  });
  const shown = passages.map(({ page }) => page);
  results.set(payload, await heldBy(pages, { given, shown }, rest));
  context.deliver();
  return { finish: 'stop' as const };
}

/** An answer to a question about a document; that the document does not answer it is one too. */
export const questionTool: Tool<QuestionPayload> = {
  feature: 'question',
  charges: 'units',
  run,
  store: ({ generationId, state, payload }, closing) =>
    endStatement(closing, generationId, state === 'done' ? (results.get(payload) ?? null) : null),
};

/** Asks a document something. @throws Problem not_found, and the refusals of admission. */
export async function startQuestion({
  actor,
  input: { id, key, question },
}: {
  actor: UserActor;
  input: { id: string; key: string; question: string };
}): Promise<StartedDocumentRun> {
  const document = await ownRecord({ actor, input: { id } });
  const asked = cleanText(question);
  const started = await start(actor, {
    feature: 'question',
    key,
    bound: ['question', document.id, asked],
    payload: { documentId: document.id } satisfies QuestionPayload,
    write: (admission) =>
      runStatement(admission, { documentId: document.id, kind: 'question', question: asked }),
  });
  return {
    generation: { id: started.generationId, state: started.state },
    credits: started.unlimited ? null : started.credits,
  };
}
