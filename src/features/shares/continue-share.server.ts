import { copyChat } from '#features/chat/service.server.ts';
import { addText } from '#features/texts/service.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { openShare } from './service.server.ts';

const COPY_LIMIT = { max: 30, seconds: 3600 };

/** Copies what the page shows; the copy has no reference to the page or its owner. @returns the path of the copy. */
export async function continueShare({
  actor,
  input: { shareId, copyId },
}: ActorInput<{ shareId: string; copyId: string }>): Promise<string> {
  const { kind, title, messages, content } = requireFound(await openShare(shareId));
  const id = requireUuid(copyId);
  await enforceLimit(`share-copies:${actor.userId}`, COPY_LIMIT);
  if (messages) {
    await copyChat({ actor, input: { id, snapshot: { title, messages } } });
    return `/chat/${id}`;
  }
  // Images are downloaded, not copied.
  if (content === null) throw notFound();
  const feature = kind === 'script' ? 'script' : 'writer';
  await addText({ actor, input: { id, feature, title, content } });
  return `/tools/${feature}/${id}`;
}
