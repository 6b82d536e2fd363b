import { m } from '#messages';
import { type Database, transaction } from '#platform/database/database.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import {
  archiveChats,
  countPins,
  lockChats,
  lockPins,
  pinChats,
  unarchiveChats,
  unpinChats,
} from './chat-order-store.server.ts';
import { type ChatAct, chatLimits } from './contract.ts';

async function pin(tx: Database, userId: string, ids: string[]): Promise<void> {
  if ((await countPins(tx, userId, ids)) + ids.length > chatLimits.pinned)
    throw new Problem('conflict', m.chat_pins_full({ most: chatLimits.pinned }));
  await pinChats(tx, ids);
}

const acts: Record<ChatAct, (tx: Database, userId: string, ids: string[]) => Promise<unknown>> = {
  pin,
  unpin: (tx, _, ids) => unpinChats(tx, ids),
  archive: (tx, _, ids) => archiveChats(tx, ids),
  unarchive: unarchiveChats,
};

/** All of these chats or, where one of them is not the person's own, none. */
export function arrangeChats({ userId }: UserActor, ids: string[], act: ChatAct): Promise<void> {
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
  return transaction(async (tx) => {
    await lockPins(tx, userId);
    if ((await lockChats(tx, userId, asked)).length < asked.length) throw notFound();
    await acts[act](tx, userId, asked);
  });
}
