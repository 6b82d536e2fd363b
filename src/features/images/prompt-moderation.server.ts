import { z } from 'zod/mini';
import { creemAccess } from '#features/billing/service.server.ts';
import { m } from '#messages';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { type OutboundInit, outbound } from '#platform/outbound/outbound.server.ts';

type Decision = 'allow' | 'flag' | 'deny';

interface Creem {
  baseUrl: string;
  apiKey: string;
}

/**
 * Creem requires its moderation API to be called with a timeout of 5 s, and no image to be made without its answer
 * (docs, features/moderation).
 */
const BOUNDS: Pick<OutboundInit, 'firstByteMs' | 'totalMs' | 'maxBytes'> = {
  firstByteMs: 5_000,
  totalMs: 5_000,
  maxBytes: 256 * 1024,
};

const answer = z.object({ decision: z.enum(['allow', 'flag', 'deny']) });

/** `message` is for the operator. */
class ModerationUnavailable extends Error {
  override readonly name = 'ModerationUnavailable';
}

async function moderatePrompt({ baseUrl, apiKey }: Creem, prompt: string): Promise<Decision> {
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

/** Creem requires this check for each image. @throws Problem prompt_declined, check_unavailable */
export async function checkPrompt(prompt: string): Promise<void> {
  const creem = creemAccess();
  if (!creem) return;
  let decision: Decision;
  try {
    decision = await moderatePrompt(creem, prompt);
  } catch (error) {
    if (!(error instanceof ModerationUnavailable)) throw error;
    log.error({ reason: error.message }, 'a prompt could not be moderated; no image was made');
    throw new Problem('check_unavailable', m.images_check_down(), { retryAfter: 30, cause: error });
  }
  if (decision === 'allow') return;
  log.info({ decision }, 'a prompt was declined');
  throw new Problem('prompt_declined', m.images_declined());
}
