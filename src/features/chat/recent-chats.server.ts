import { createHash } from 'node:crypto';
import type { SharedMessage } from '#features/shares/contract.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { snapshotRows } from './chat-snapshot-store.server.ts';
import { shownTitle } from './contract.ts';
import { findLeaf } from './messages/branch-store.server.ts';
import { type RecentRow, recentSessions } from './recent-chats-store.server.ts';
import { ownSession } from './store.server.ts';

export interface RecentChat {
  id: string;
  title: string;
  updatedAt: string;
  /** Changes whenever anything that is shown may have changed. */
  version: string;
}

const toRecentChat = ({ id, title, updated_at, tip_id, running }: RecentRow): RecentChat => ({
  id,
  title: shownTitle(title),
  updatedAt: updated_at.toISOString(),
  version: createHash('sha256')
    .update(JSON.stringify([updated_at, title, tip_id, running]))
    .digest('base64url')
    .slice(0, 16),
});

/** Returns the newest chats, and those of `opened` that still exist. */
export async function recentChats({
  actor,
  input: { opened, limit },
}: ActorInput<{ opened: string[]; limit: number }>): Promise<RecentChat[]> {
  return (await recentSessions(database(), { userId: actor.userId, opened, limit })).map(toRecentChat);
}

export interface RecentMessages {
  messages: SharedMessage[];
  /** There are messages before these. */
  cut: boolean;
}

/**
 * Returns the end of the shown branch, without what is still being written: `limit` messages, or fewer if those exceed
 * `bytes`. @throws Problem if the chat is temporary, or even the last messages exceed `bytes`
 */
export async function recentMessages({
  actor,
  input,
}: ActorInput<{ id: string; limit: number; bytes: number }>): Promise<RecentMessages> {
  const { limit, bytes } = input;
  const sessionId = requireUuid(input.id);
  const chat = requireFound(await ownSession(database(), actor.userId, sessionId));
  if (chat.temporary) throw new Problem('conflict', m.share_temporary());
  const leaf = (await findLeaf(database(), sessionId, chat.tip_id))?.id;
  if (leaf === undefined) return { messages: [], cut: false };
  for (const count of [limit, Math.ceil(limit / 6), 2]) {
    const rows = await snapshotRows(database(), { sessionId, leaf, limit: count + 1, bytes });
    if (rows) return { messages: rows.slice(-count), cut: rows.length > count };
  }
  throw new Problem('too_large', m.request_too_large());
}
