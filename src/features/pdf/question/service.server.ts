import { z } from 'zod';
import { config } from '../../../platform/config/config.server.ts';
import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { cleanText } from '../../../shared/clean-text.ts';
import type { RunContext, Tool } from '../../generations/engine/service.server.ts';
import { start } from '../../generations/service.server.ts';
import { RunFailure } from '../../generations/verdict/service.server.ts';
import { askForObject, framed, proven, quotesSchema, said } from '../asking/service.server.ts';
import type { Answer, ProgressLine, StartedDocumentRun } from '../contract.ts';
import { passagesFor } from '../passages/service.server.ts';
import { Source } from '../quotes/service.server.ts';
import { ownRecord } from '../service.server.ts';
import { documentById, endStatement, pagesOf, runStatement, runsOf } from '../store.server.ts';

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

const line = (progress: ProgressLine) => `${JSON.stringify(progress)}\n`;

/** What a run has found, for its closing. */
const results = new WeakMap<object, Answer>();

async function* run(context: RunContext, payload: QuestionPayload) {
  yield line({ step: 'searching' });
  const document = await documentById(database(), payload.documentId);
  const rows = document ? await runsOf(database(), document.id, 50) : [];
  const question = rows.find(({ generation_id }) => generation_id === context.generationId)?.question;
  if (!document || !question) throw new RunFailure('gone', 'This document is not there any more.');
  const pages = await pagesOf(database(), document.id);
  const room = config().CONTEXT_TOKENS - ANSWER_TOKENS - FRAME_TOKENS;
  const passages = passagesFor(pages, question, Math.max(LEAST_TOKENS, Math.min(PASSAGE_TOKENS, room)));
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
  const source = new Source(pages);
  const statements = (given.answered ? given.statements : [])
    .slice(0, STATEMENTS)
    .map(({ text, quotes }) => ({
      text: said(text),
      quotes: proven(source, quotes),
    }));
  const held = statements.filter(
    ({ text, quotes }, index) =>
      text !== '' && quotes.length > 0 && statements.findIndex((other) => other.text === text) === index,
  );
  results.set(payload, { statements: held, unsupported: statements.length - held.length });
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
