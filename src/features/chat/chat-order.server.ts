import { stopRuns } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import {
  archiveChats,
  countPins,
  deleteChats,
  lockChats,
  lockPins,
  pinChats,
  restoreDeleted,
  unarchiveChats,
  unfinishedRuns,
  unpinChats,
} from './chat-order-store.server.ts';
import { chatLimits, type SelectionAction } from './contract.ts';

type Change = (tx: Database, userId: string, ids: string[]) => Promise<void>;

type Action = (tx: Database, userId: string, ids: string[]) => Promise<unknown>;

async function changeOwn(
  tx: Database,
  userId: string,
  ids: string[],
  action: Action,
  temporary: boolean,
): Promise<void> {
  const own = (await lockChats(tx, userId, ids)).filter((chat) => temporary || !chat.temporary);
  if (own.length < ids.length) throw notFound();
  await action(tx, userId, ids);
}

/** For listed and archived chats: changes all of them, or none if one is not the person's own. */
const forListed =
  (action: Action): Change =>
  (tx, userId, ids) =>
    changeOwn(tx, userId, ids, action, false);

/** For temporary chats too. */
const forAny =
  (action: Action): Change =>
  (tx, userId, ids) =>
    changeOwn(tx, userId, ids, action, true);

async function pin(tx: Database, userId: string, ids: string[]): Promise<void> {
  if ((await countPins(tx, userId, ids)) + ids.length > chatLimits.pinned)
    throw new Problem('conflict', m.chat_pins_full({ most: chatLimits.pinned }));
  await pinChats(tx, ids);
}

async function restore(tx: Database, userId: string, ids: string[]): Promise<void> {
  if ((await restoreDeleted(tx, userId, ids)) < ids.length) throw notFound();
}

const operations: Record<Exclude<SelectionAction, 'move'> | 'pin' | 'unpin', Change> = {
  pin: forListed(pin),
  unpin: forListed((tx, _, ids) => unpinChats(tx, ids)),
  archive: forListed((tx, _, ids) => archiveChats(tx, ids)),
  unarchive: forListed(unarchiveChats),
  delete: forAny((tx, _, ids) => deleteChats(tx, ids)),
  restore,
};

type ArrangeAction = keyof typeof operations;

/** Call it before the transaction changes any other row of these chats, so that it takes its locks first. */
export async function arrangeInTransaction(
  tx: Database,
  { userId }: UserActor,
  ids: string[],
  action: ArrangeAction,
): Promise<void> {
  await lockPins(tx, userId);
  await operations[action](tx, userId, ids);
}

export async function arrangeChats(actor: UserActor, ids: string[], action: ArrangeAction): Promise<void> {
  const uniqueIds = [...new Set(ids.map((id) => id.toLowerCase()))];
  await transaction((tx) => arrangeInTransaction(tx, actor, uniqueIds, action));
  if (action !== 'delete') return;
  // No run can start in a deleted chat, so these are all of them.
  await stopRuns(actor, await unfinishedRuns(database(), actor.userId, uniqueIds));
}
