import { creemAccess } from '#features/billing/service.server.ts';
import { m } from '#messages';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { type Decision, ModerationUnavailable, moderatePrompt } from './creem-moderation.adapter.server.ts';

/** Creem demands it for each picture. @throws Problem prompt_declined, check_unavailable. */
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
