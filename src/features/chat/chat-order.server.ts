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
  openRuns,
  pinChats,
  restoreDeleted,
  unarchiveChats,
  unpinChats,
} from './chat-order-store.server.ts';
import { chatLimits, type SelectionAct } from './contract.ts';

type Change = (tx: Database, userId: string, ids: string[]) => Promise<void>;

type Act = (tx: Database, userId: string, ids: string[]) => Promise<unknown>;

async function ofOwn(
  tx: Database,
  userId: string,
  ids: string[],
  act: Act,
  temporary: boolean,
): Promise<void> {
  const own = (await lockChats(tx, userId, ids)).filter((chat) => temporary || !chat.temporary);
  if (own.length < ids.length) throw notFound();
  await act(tx, userId, ids);
}

/** For listed and archived chats: changes all of them, or none if one is not the person's own. */
const ofListed =
  (act: Act): Change =>
  (tx, userId, ids) =>
    ofOwn(tx, userId, ids, act, false);

/** For temporary chats too. */
const ofAny =
  (act: Act): Change =>
  (tx, userId, ids) =>
    ofOwn(tx, userId, ids, act, true);

async function pin(tx: Database, userId: string, ids: string[]): Promise<void> {
  if ((await countPins(tx, userId, ids)) + ids.length > chatLimits.pinned)
    throw new Problem('conflict', m.chat_pins_full({ most: chatLimits.pinned }));
  await pinChats(tx, ids);
}

async function restore(tx: Database, userId: string, ids: string[]): Promise<void> {
  if ((await restoreDeleted(tx, userId, ids)) < ids.length) throw notFound();
}

const acts: Record<Exclude<SelectionAct, 'move'> | 'pin' | 'unpin', Change> = {
  pin: ofListed(pin),
  unpin: ofListed((tx, _, ids) => unpinChats(tx, ids)),
  archive: ofListed((tx, _, ids) => archiveChats(tx, ids)),
  unarchive: ofListed(unarchiveChats),
  delete: ofAny((tx, _, ids) => deleteChats(tx, ids)),
  restore,
};

type ArrangeAct = keyof typeof acts;

/** Call it before the transaction changes any other row of these chats, so that it takes its locks first. */
export async function arrangeWithin(
  tx: Database,
  { userId }: UserActor,
  ids: string[],
  act: ArrangeAct,
): Promise<void> {
  await lockPins(tx, userId);
  await acts[act](tx, userId, ids);
}

export async function arrangeChats(actor: UserActor, ids: string[], act: ArrangeAct): Promise<void> {
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
  await transaction((tx) => arrangeWithin(tx, actor, asked, act));
  if (act !== 'delete') return;
  // No run can start in a deleted chat, so these are all of them.
  await stopRuns(actor, await openRuns(database(), actor.userId, asked));
}
