import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { type PromptRating, promptLimits, promptTexts } from './contract.ts';
import { countRatings, lockPublished, recordUse, setRating } from './ratings-store.server.ts';
import { openPrompt, promptId, viewerOf } from './service.server.ts';

const HOUR = 3600;

/**
 * Records once per person that they used the prompt, which allows them to rate it.
 * @throws Problem plan_required, rate_limited, not_found
 */
export async function recordPromptUse({ actor, input: { id } }: ActorInput<{ id: string }>): Promise<void> {
  const limit = { max: promptLimits.used, seconds: HOUR };
  await enforceLimit(`prompt-use:${actor.userId}`, limit, promptTexts.tooOften());
  if ((await recordUse(database(), await viewerOf(actor), promptId(id))) > 0) return;
  const prompt = await openPrompt({ actor, input: { name: id } });
  if (prompt.isLocked) throw new Problem('plan_required', promptTexts.locked());
  // Not recorded: an unpublished prompt of their own, which nobody can rate.
}

/**
 * Sets the person's rating; null removes it.
 * @throws Problem forbidden for their own prompt, or one they have not used
 */
export async function ratePrompt({
  actor,
  input: { id, stars },
}: ActorInput<{ id: string; stars: number | null }>): Promise<PromptRating> {
  const limit = { max: promptLimits.rated, seconds: HOUR };
  await enforceLimit(`prompt-rating:${actor.userId}`, limit, promptTexts.tooManyRatings());
  await transaction(async (tx) => {
    const prompt = await lockPublished(tx, promptId(id));
    if (!prompt) throw notFound();
    if (prompt.user_id === actor.userId) throw new Problem('forbidden', promptTexts.ownRating());
    const changed = await setRating(tx, actor.userId, id, stars);
    if (changed === 0 && stars !== null) throw new Problem('forbidden', promptTexts.notUsed());
    await countRatings(tx, [id]);
  });
  const { rating, editorRating, ownRating } = await openPrompt({ actor, input: { name: id } });
  return { rating, editorRating, ownRating };
}
