import { v7 as uuid } from 'uuid';
import { checkDailyChats } from '#features/credits/service.server.ts';
import type { SharedMessage, ShareSnapshot } from '#features/shares/contract.ts';
import { m } from '#messages';
import { transaction } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { cleanLine } from '#shared/clean-text.ts';
import { chatLimits, defaultTitle } from './contract.ts';
import { insertCopiedMessages, insertCopy } from './copy-chat-store.server.ts';
import { ownSession } from './store.server.ts';

/** Returns alternating questions and replies; leaves out what has no counterpart. */
function exchanges(messages: readonly SharedMessage[]): SharedMessage[] {
  return messages.flatMap((message, at) => {
    const reply = messages[at + 1];
    return message.role === 'user' && reply?.role === 'assistant' ? [message, reply] : [];
  });
}

/**
 * Creates a chat of the person with these messages. It costs no credits but counts for its day. Does nothing if the
 * person has a chat with this id. @throws Problem if the id is somebody else's or the day's chats are used up
 */
export async function copyChat({
  actor,
  input: { id, snapshot },
}: ActorInput<{ id: string; snapshot: ShareSnapshot }>): Promise<void> {
  requireUuid(id);
  const messages = exchanges(snapshot.messages);
  if (messages.length === 0) throw new Problem('conflict', m.share_empty());
  await transaction(async (tx) => {
    if (await ownSession(tx, actor.userId, id)) return;
    await checkDailyChats(tx, actor);
    const title = cleanLine(snapshot.title, chatLimits.titleLength) || defaultTitle;
    const isNew = await insertCopy(tx, { id, userId: actor.userId, title });
    if (isNew)
      await insertCopiedMessages(
        tx,
        id,
        messages.map(({ role, text, images = 0 }) => ({
          id: uuid(),
          role,
          text: images > 0 ? m.shared_images_out({ count: images }) : text,
        })),
      );
    else requireFound(await ownSession(tx, actor.userId, id));
  });
}
