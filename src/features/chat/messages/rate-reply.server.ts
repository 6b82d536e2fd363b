import { database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { requireFound } from '#platform/http/problem.server.ts';
import type { ReplyRating } from '../contract.ts';
import { deleteRating, findRatable, saveRating } from './rate-reply-store.server.ts';

export async function rateReply({
  actor: { userId },
  input: { messageId, rating },
}: ActorInput<{ messageId: string; rating: ReplyRating | null }>): Promise<void> {
  const db = database();
  requireFound(await findRatable(db, { userId, messageId }));
  if (rating) await saveRating(db, { userId, messageId, ...rating });
  else await deleteRating(db, { userId, messageId });
}
