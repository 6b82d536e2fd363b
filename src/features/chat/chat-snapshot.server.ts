import { type ShareSnapshot, type SourceIds, shareLimits } from '#features/shares/contract.ts';
import { m } from '#messages';
import type { Database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { formatBytes } from '#shared/format-bytes.ts';
import { findMessageChat, snapshotRows } from './chat-snapshot-store.server.ts';
import { shownTitle } from './contract.ts';
import { findLeaf } from './messages/branch-store.server.ts';
import { ownSession } from './store.server.ts';

export interface ChatSnapshot extends ShareSnapshot {
  chatId: string;
}

/**
 * Returns what can be shared of an own chat now: the shown branch, or one reply with its question. @throws Problem if
 * that is empty or too large, or the chat is temporary
 */
export async function readSnapshot(
  db: Database,
  { actor, input: { chatId, messageId } }: ActorInput<Pick<SourceIds, 'chatId' | 'messageId'>>,
): Promise<ChatSnapshot> {
  const message =
    messageId === undefined ? null : requireFound(await findMessageChat(db, requireUuid(messageId)));
  const id = requireUuid(message?.session_id ?? chatId ?? '');
  const chat = requireFound(await ownSession(db, actor.userId, id));
  if (chat.temporary) throw new Problem('conflict', m.share_temporary());
  if (message?.role === 'user') throw new Problem('bad_request', m.chat_error_wrong_message());
  const leaf = message?.id ?? (await findLeaf(db, id, chat.tip_id))?.id;
  if (leaf === undefined) throw new Problem('conflict', m.share_empty());
  const { bytes } = shareLimits;
  const messages = await snapshotRows(db, { sessionId: id, leaf, limit: message ? 2 : null, bytes });
  if (!messages) throw new Problem('too_large', m.share_too_large({ size: formatBytes(bytes) }));
  if (messages.length === 0 || (message && messages.at(-1)?.role === 'user'))
    throw new Problem('conflict', message ? m.chat_error_still_writing() : m.share_empty());
  return {
    chatId: id,
    title: shownTitle(chat.title),
    messages: messages.map(({ sources, images, partial, ...message }) => ({
      ...message,
      ...(sources.length > 0 ? { sources } : {}),
      ...(images > 0 ? { images } : {}),
      ...(partial ? { partial } : {}),
    })),
  };
}
