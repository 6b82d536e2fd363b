import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { planLimits } from '#features/credits/contract.ts';
import { checkOffered, readCredits } from '#features/credits/service.server.ts';
import type { GenerationView } from '#features/generations/contract.ts';
import { idempotencyKeyOf, readRun, stopOnDisconnect } from '#features/generations/service.server.ts';
import { m } from '#messages';
import type { UserActor } from '#platform/http/actor.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readBytes } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { type Dictation, dictationLimits, dictationPath } from './contract.ts';
import { startDictation, withDictationSlot } from './service.server.ts';

/** Returns null if the run has a text. */
function runProblem({ state, text, error }: GenerationView): Problem | null {
  // A repeated request with the same key may find a run that was stopped, or whose text was erased.
  if (state === 'stopped' || (state === 'done' && text === ''))
    return new Problem('gone', m.dictation_gone());
  if (state === 'done') return null;
  const message = error?.message ?? '';
  if (error?.code === 'empty') return new Problem('bad_request', message);
  return new Problem(error?.code === 'spend_cap' ? 'spend_cap' : 'unavailable', message);
}

async function readRecording(request: Request): Promise<Buffer> {
  try {
    return await readBytes(request, dictationLimits.bytes);
  } catch (error) {
    throw error instanceof Problem && error.code === 'too_large'
      ? new Problem('too_large', m.dictation_too_long({ minutes: dictationLimits.seconds / 60 }))
      : error;
  }
}

async function answer(c: Context<AppEnv>, actor: UserActor): Promise<Response> {
  const bytes = await readRecording(c.req.raw);
  const run = await startDictation({ actor, input: { bytes, key: idempotencyKeyOf(c) } });
  const pieces = readRun(run, stopOnDisconnect(c.env.outgoing, run));
  let step = await pieces.next();
  while (!step.done) step = await pieces.next();
  const view = step.value;
  if (!view) return RESPONSE_ALREADY_SENT;
  const refusal = runProblem(view);
  if (refusal) throw refusal;
  const { plan, currentCredits } = await readCredits({ actor });
  return c.json({
    text: view.text,
    creditsUsed: view.creditsCharged,
    credits: planLimits[plan].unlimited ? null : currentCredits,
  } satisfies Dictation);
}

export function dictationApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().post(dictationPath, async (c) => {
    const actor = requireUser(c);
    checkOffered('dictation');
    return withDictationSlot(actor, () => answer(c, actor));
  });
}
