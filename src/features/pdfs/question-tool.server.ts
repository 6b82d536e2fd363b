import { z } from 'zod';
import { contextTokens, type RunContext, RunFailure } from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import { type Answer, findingLimits, type Statement } from './contract.ts';
import type { DocumentFailure } from './document-failures.server.ts';
import { documentTool, progressLine } from './document-run.server.ts';
import {
  findEvidence,
  findPassages,
  loadPages,
  quotesSchema,
  type SourcePage,
} from './document-search.server.ts';
import { documentById, runsOf } from './store.server.ts';
import { cleanAnswer, framedPages, generateObject } from './structured-output.server.ts';

const ANSWER_TOKENS = 1_200;
const FRAME_TOKENS = 1_500;
const PASSAGE_TOKENS = 6_000;
const MIN_TOKENS = 500;

const answerSchema = z.object({
  answered: z.boolean().describe('Whether the passages answer the question'),
  statements: z
    .array(z.object({ text: z.string(), quotes: quotesSchema }))
    .describe('The answer, a sentence each'),
});

const INSTRUCTION = `You answer a question about a document from passages of it, and from nothing else. Where they do not answer it, set "answered" to false and give no statements.
Answer in up to five sentences in the language of the question. Each sentence needs one or two quotes: words of the passages, copied exactly, at least five words long, with the number of their page.`;

type ModelAnswer = z.infer<typeof answerSchema>;

async function verifyAnswer(context: RunContext, pages: SourcePage[], answer: ModelAnswer): Promise<Answer> {
  const stated = (answer.answered ? answer.statements : []).slice(0, findingLimits.statements);
  const evidence = await findEvidence(context, pages, { quotes: stated.map(({ quotes }) => quotes) });
  const verified: Statement[] = [];
  for (const { text, quotes } of stated) {
    const statement = { text: cleanAnswer(text), quotes: evidence.verifyQuotes(quotes) };
    const isDuplicate = verified.some((other) => other.text === statement.text);
    if (statement.text !== '' && statement.quotes.length > 0 && !isDuplicate) verified.push(statement);
  }
  return { statements: verified, unsupported: stated.length - verified.length };
}

/** Answers a question from the document. A result without statements is charged too: the document has no answer. */
export const questionTool = documentTool('question', async function* ({ context, documentId }) {
  yield progressLine({ step: 'searching' });
  const document = await documentById(database(), documentId);
  const rows = document ? await runsOf(database(), document.id, 50) : [];
  const question = rows.find(({ generation_id }) => generation_id === context.generationId)?.question;
  if (!document || !question) throw new RunFailure('gone', 'pdfs_gone' satisfies DocumentFailure);
  const available = contextTokens() - ANSWER_TOKENS - FRAME_TOKENS;
  const tokens = Math.max(MIN_TOKENS, Math.min(PASSAGE_TOKENS, available));
  const pages = await loadPages(document.id);
  const bytes = Math.floor(tokens * BYTES_PER_TOKEN);
  const passages = await findPassages(context, pages, { question, bytes });
  yield progressLine({ step: 'answering' });
  const answer = await generateObject({
    context,
    purpose: 'pdf-question',
    name: 'document_answer',
    schema: answerSchema,
    messages: [
      { role: 'system', content: INSTRUCTION },
      {
        role: 'user',
        content: `${framedPages(document.name, context.generationId, passages)}\n\nThe question:\n${question}`,
      },
    ],
    maxTokens: ANSWER_TOKENS,
  });
  return verifyAnswer(context, pages, answer);
});
