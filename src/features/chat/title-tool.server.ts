import { generateText, startRun, type Tool } from '#features/generations/service.server.ts';
import { asyncCommit } from '#platform/database/async-commit.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { chatLimits, defaultTitle } from './contract.ts';
import { titleStatement, withFirstMessages } from './store.server.ts';

interface TitlePayload {
  sessionId: string;
}

/** Null if the question was deleted meanwhile. */
interface FirstMessages {
  question: string | null;
  reply: string | null;
}

const SYSTEM =
  'Write a title of 4 to 6 words for this conversation. Answer with the title alone, in its language.';
const EXCERPT = 600;
const bounds = { idleMs: 30_000, answerMs: 30_000, eventBytes: 64 * 1024, textBytes: 4 * 1024 };

export function parseTitle(answer: string): string {
  const line = answer.trim().split(/[\r\n]/)[0] ?? '';
  const cleaned = line.replace(/^[\s"'“”„«»‘’`*#]+|[\s"'“”„«»‘’`*]+$/g, '').replace(/\s+/g, ' ');
  return [...cleaned].slice(0, chatLimits.titleLength).join('').trim() || defaultTitle;
}

/**
 * Free, and not counted among the person's runs. It commits asynchronously, so a power cut may lose a title with its
 * run: the chat then keeps its first words until the next reply brings another title.
 */
export const titleTool: Tool<TitlePayload> = {
  feature: 'title',
  async *run(context, _, knownInput) {
    const { question, reply } = knownInput as FirstMessages;
    const text = `user: ${question ?? ''}\n\nassistant: ${reply ?? ''}`;
    const answer = await generateText({
      context,
      purpose: 'title',
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: text },
      ],
      temperature: 0.3,
      maxTokens: 50,
      bounds,
    });
    yield parseTitle(answer.text);
    return { finish: answer.finish };
  },
  store: ({ payload, state, text }, closing) =>
    state === 'done'
      ? titleStatement(asyncCommit(closing), payload.sessionId, text === defaultTitle ? null : text)
      : asyncCommit(closing),
};

/** @param question the question if it gets two replies, of which the first to finish brings the title */
export async function startTitle(userId: string, sessionId: string, question?: string): Promise<void> {
  try {
    await startRun<FirstMessages>(
      { userId },
      {
        feature: 'title',
        // At most one title a minute: a chat whose title failed gets one with a later reply.
        key: `title-${sessionId}-${question ?? Math.floor(Date.now() / 60_000)}`,
        fingerprint: sessionId,
        payload: { sessionId } satisfies TitlePayload,
        write: (admission) => withFirstMessages(asyncCommit(admission), sessionId, EXCERPT),
        knownInput: (first) => first,
      },
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
