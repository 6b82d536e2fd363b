import {
  callFailure,
  delimiterId,
  frameAsData,
  generateText,
  type RunContext,
} from '#features/generations/service.server.ts';
import { log } from '#platform/log.server.ts';
import { cleanLine, cutText } from '#shared/clean-text.ts';
import type { HistoryMessage } from '../messages/message-store.server.ts';

const MAX_QUERIES = 3;
/** UTF-16 units and words of a query: Brave accepts 400 and 50. */
const MAX_LENGTH = 200;
const MAX_WORDS = 50;
/** The most UTF-16 units of the end of a conversation, and of one of its messages. */
const MAX_CONVERSATION = { all: 6_000, message: 2_000 };
const MAX_MESSAGES = 6;
const ANSWER_TOKENS = 120;
/** Gateways count thinking as part of the answer. */
const THINKING_TOKENS = 2_000;

const bounds = { idleMs: 15_000, answerMs: 30_000, eventBytes: 256 * 1024, textBytes: 8 * 1024 };

const instruction = (day: string) =>
  [
    'You write queries for a web search engine.',
    'Read the conversation and write what has to be searched to answer its last message, with the names that it refers to.',
    'One query is mostly enough; write up to three where the message asks for several things. One query a line, in the language in which the answer is best found, nothing else on the line.',
    'Leave out what tells who the person is, unless it is what they ask about.',
    `Today is ${day}.`,
  ].join(' ');

function conversationLines(newestFirst: readonly HistoryMessage[]): string[] {
  const lines: string[] = [];
  let left = MAX_CONVERSATION.all;
  for (const { role, content } of newestFirst.slice(0, MAX_MESSAGES)) {
    const text = cutText(content, Math.min(left, MAX_CONVERSATION.message));
    if (text === '') continue;
    left -= text.length;
    lines.unshift(`${role === 'user' ? 'Person' : 'Assistant'}: ${text}`);
    if (left <= 0) break;
  }
  return lines;
}

const limitQuery = (text: string): string =>
  cleanLine(text, MAX_LENGTH).split(' ').slice(0, MAX_WORDS).join(' ');

/** Removes bullets, numbers and quotation marks, which models add. */
const parseQuery = (line: string): string =>
  limitQuery(line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').replace(/^["'“”„«»`]+|["'“”„«»`]+$/g, ''));

function parseQueries(text: string): string[] {
  const lines = text
    .split('\n')
    .map(parseQuery)
    .filter((line) => line !== '');
  return [...new Set(lines)].slice(0, MAX_QUERIES);
}

/**
 * A model writes the queries from the conversation: a message such as "and in Spain?" means nothing alone, and a long
 * one should not go to the search service. Falls back to the start of the question.
 */
export async function searchQueries(
  context: RunContext,
  newestFirst: readonly HistoryMessage[],
): Promise<string[]> {
  const question = newestFirst.find(({ role }) => role === 'user')?.content ?? '';
  const day = new Date().toISOString().slice(0, 10);
  const conversation = frameAsData(
    'The following is the conversation.',
    `conversation ${delimiterId(context.generationId)}`,
    conversationLines(newestFirst),
  );
  try {
    const { text } = await generateText({
      // The first admitted call belongs to the reply.
      context: { ...context, takeFirstCall: () => null },
      purpose: 'web-queries',
      messages: [
        { role: 'system', content: instruction(day) },
        { role: 'user', content: conversation },
      ],
      temperature: 0,
      maxTokens: ANSWER_TOKENS + (context.model.thinks ? THINKING_TOKENS : 0),
      bounds,
    });
    const queries = parseQueries(text);
    if (queries.length > 0) return queries;
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { kind = 'internal' } = callFailure(error) ?? {};
    log.warn({ kind, generation: context.generationId }, 'the model wrote no query for a web search');
  }
  const fallback = limitQuery(question);
  return fallback === '' ? [] : [fallback];
}
