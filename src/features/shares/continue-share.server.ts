import { copyChat } from '#features/chat/service.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { found } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { openShare } from './service.server.ts';

const COPYING = { max: 30, seconds: 3600 };

/** Copies what the page shows; the copy knows neither the page nor its owner. @returns the path of the copy. */
export async function continueShare({
  actor,
  input: { shareId, chatId },
}: ActorInput<{ shareId: string; chatId: string }>): Promise<string> {
  const { title, messages } = found(await openShare(shareId));
  await enforceLimit(`share-copies:${actor.userId}`, COPYING);
  await copyChat({ actor, input: { id: chatId, snapshot: { title, messages } } });
  return `/chat/${chatId}`;
}
