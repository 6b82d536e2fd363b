import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, signInRequired } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { log } from '#platform/log.server.ts';
import {
  type ChangeShare,
  type CreateShare,
  type Share,
  type ShareSource,
  type SourceIds,
  shareLimits,
  sharePath,
} from './contract.ts';
import { isShareId, newShareId } from './share-id.server.ts';
import { readSource } from './source.server.ts';
import {
  countShares,
  deleteEmptyShares,
  deleteEndedShares,
  deleteShare,
  insertShare,
  lockOwner,
  lockShare,
  ownShare,
  type ShareRow,
  type ShownRow,
  shareOfSource,
  sharesOf,
  shownShare,
  updateOptions,
  updateSnapshot,
} from './store.server.ts';

export { decideOnReports, pruneReports, reportedShare } from './reports.server.ts';
export { renderMessages } from './shared-markdown.server.tsx';

const toShare = (row: ShareRow): Share => ({
  id: row.id,
  url: config().publicUrl + sharePath(row.id),
  kind: row.kind,
  chatId: row.chat_id,
  messageId: row.message_id,
  workId: row.work_id,
  pictureIds: row.picture_ids,
  title: row.title,
  count: row.count,
  showName: row.show_name,
  showPrompts: row.show_prompts,
  indexed: row.indexed,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
  ended: row.ended,
  takenDown: row.taken_down,
});

const limitCreation = ({ userId }: UserActor) =>
  enforceLimit(`shares:${userId}`, { max: shareLimits.hourly, seconds: 3600 });

export async function listShares({ actor }: { actor: UserActor }): Promise<Share[]> {
  return (await sharesOf(database(), actor.userId)).map(toShare);
}

/** @throws Problem with the reason if it cannot be shared. */
export async function openSource({ actor, input }: ActorInput<SourceIds>): Promise<ShareSource> {
  const { kind, source, snapshot, files, drawn } = await readSource(database(), { actor, input });
  const row = await shareOfSource(database(), actor.userId, source);
  const { title, count } = snapshot;
  return { share: row && !row.ended ? toShare(row) : null, kind, title, count, files, drawn };
}

/** Returns the existing page, or a new one. An ended page is replaced, and its address stays invalid. */
export async function createShare({ actor, input }: ActorInput<CreateShare>): Promise<Share> {
  const { userId } = actor;
  const { showName = false, showPrompts = false, indexed = false, days = null } = input;
  await limitCreation(actor);
  const row = await transaction(async (tx) => {
    if (!(await lockOwner(tx, userId))) throw signInRequired();
    const { kind, source, snapshot } = await readSource(tx, { actor, input });
    const existing = await shareOfSource(tx, userId, source);
    if (existing?.taken_down) throw new Problem('forbidden', m.share_taken_down());
    if (existing && !existing.ended) return existing;
    if (existing) await deleteShare(tx, userId, existing.id);
    const limit = shareLimits.perPerson;
    if ((await countShares(tx, userId)) >= limit)
      throw new Problem('conflict', m.share_full({ most: limit }));
    const id = newShareId();
    const options = { showName, showPrompts, indexed, days };
    await insertShare(tx, { id, userId, kind, source, snapshot, ...options });
    log.info({ userId, kind }, 'a page was shared');
    return ownShare(tx, userId, id);
  });
  return toShare(requireFound(row));
}

async function lockLive(tx: Parameters<typeof lockShare>[0], userId: string, id: string): Promise<ShareRow> {
  const row = requireFound(await lockShare(tx, userId, id));
  if (row.taken_down) throw new Problem('forbidden', m.share_taken_down());
  if (row.ended) throw notFound();
  return row;
}

export async function changeShare({
  actor,
  input,
}: ActorInput<ChangeShare & { id: string }>): Promise<Share> {
  const row = await transaction(async (tx) => {
    const current = await lockLive(tx, actor.userId, input.id);
    const {
      showName = current.show_name,
      showPrompts = current.show_prompts,
      indexed = current.indexed,
      days,
    } = input;
    await updateOptions(tx, current.id, { showName, showPrompts, indexed, days });
    return ownShare(tx, actor.userId, current.id);
  });
  return toShare(requireFound(row));
}

/** Shows the current content of the source under the same address. Images stay as they were chosen. */
export async function updateShare({ actor, input }: ActorInput<{ id: string }>): Promise<Share> {
  await limitCreation(actor);
  const row = await transaction(async (tx) => {
    const current = await lockLive(tx, actor.userId, input.id);
    const { id } = current;
    if (current.kind === 'images') return current;
    const { snapshot } = await readSource(tx, { actor, input: sourceIds(current) });
    await updateSnapshot(tx, id, snapshot);
    return ownShare(tx, actor.userId, id);
  });
  return toShare(requireFound(row));
}

/** Returns the ids of a page's source, as in a request. */
function sourceIds({ chat_id, message_id, work_id }: ShareRow): SourceIds {
  if (work_id !== null) return { workId: work_id };
  return message_id === null ? { chatId: chat_id ?? '' } : { messageId: message_id };
}

/** From then on, its address responds as if it had never existed. */
export async function stopShare({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  if ((await deleteShare(database(), actor.userId, input.id)) === 0) throw notFound();
  log.info({ userId: actor.userId }, 'a shared page was stopped');
}

/** For everybody who has the address; null if there is no page, for whatever reason. */
export const openShare = async (id: string): Promise<ShownRow | null> =>
  isShareId(id) ? shownShare(database(), id) : null;

export const pruneShares = async (): Promise<number> =>
  (await deleteEndedShares(database())) + (await deleteEmptyShares(database()));
