import { z } from 'zod/mini';
import { type OutboundInit, outbound } from '#platform/outbound/outbound.server.ts';

export type Decision = 'allow' | 'flag' | 'deny';

interface Creem {
  baseUrl: string;
  apiKey: string;
}

/** Creem asks for an answer within 5 s, and no picture without one (docs, features/moderation). */
const BOUNDS: Pick<OutboundInit, 'firstByteMs' | 'totalMs' | 'maxBytes'> = {
  firstByteMs: 5_000,
  totalMs: 5_000,
  maxBytes: 256 * 1024,
};

const answer = z.object({ decision: z.enum(['allow', 'flag', 'deny']) });

/** `message` is for the operator. */
export class ModerationUnavailable extends Error {
  override readonly name = 'ModerationUnavailable';
}

export async function moderatePrompt({ baseUrl, apiKey }: Creem, prompt: string): Promise<Decision> {
  try {
    const response = await outbound(`${baseUrl.replace(/\/+$/, '')}/v1/moderation/prompt`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ prompt }),
      ...BOUNDS,
    });
    if (response.status < 200 || response.status >= 300) {
      response.close();
      throw new ModerationUnavailable(`status ${response.status}`);
    }
    return answer.parse(JSON.parse(await response.text())).decision;
  } catch (error) {
    if (error instanceof ModerationUnavailable) throw error;
    const kind = (error as { kind?: unknown }).kind;
    throw new ModerationUnavailable(typeof kind === 'string' ? kind : 'the answer is not understood', {
      cause: error,
    });
  }
}
