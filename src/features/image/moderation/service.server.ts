import { Problem } from '../../../platform/http/problem.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { creemAccess } from '../../billing/provider/service.server.ts';
import { type Decision, moderatePrompt, NoDecision } from './creem.adapter.server.ts';

const texts = {
  declined:
    'This prompt was declined: it asks for something that images must not show here. Nothing was charged. Please change it and try again.',
  down: 'Prompts cannot be checked at the moment, and no image is made unchecked. Nothing was charged. Please try again in a minute.',
};

/**
 * Puts a prompt to the moderation that Creem demands for each picture; only what it allows passes.
 * @throws Problem prompt_declined for deny and flag, check_unavailable when there is no decision.
 */
export async function checkPrompt(prompt: string): Promise<void> {
  const creem = creemAccess();
  if (!creem) return;
  let decision: Decision;
  try {
    decision = await moderatePrompt(creem, prompt);
  } catch (error) {
    if (!(error instanceof NoDecision)) throw error;
    log.error({ reason: error.message }, 'a prompt could not be moderated; no image was made');
    throw new Problem('check_unavailable', texts.down, { retryAfter: 30, cause: error });
  }
  if (decision === 'allow') return;
  log.info({ decision }, 'a prompt was declined');
  throw new Problem('prompt_declined', texts.declined);
}
