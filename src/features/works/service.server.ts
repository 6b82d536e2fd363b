import { validate as isUuid, v7 as uuid } from 'uuid';
import { type Database, database, transaction } from '../../platform/database/database.server.ts';
import type { Actor, UserActor } from '../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../platform/http/problem.server.ts';
import { enforceLimit } from '../../platform/http/rate-limit.server.ts';
import { cleanLine, cleanText } from '../../shared/clean-text.ts';
import { linesOf } from '../../shared/fountain/source.ts';
import { readTitlePage, titleValue } from '../../shared/fountain/title-page.ts';
import { countWords } from '../../shared/words.ts';
import { stop } from '../generations/service.server.ts';
import {
  type Proposal,
  type VersionRow,
  type WorkFeature,
  type WorkRow,
  type WorkView,
  workLimits,
} from './contract.ts';
import * as store from './store.server.ts';

const texts = {
  changed: 'This text was changed elsewhere meanwhile. Yours is kept here; load the page to see the other.',
  older: 'There is a newer version of this text by now. Yours is kept here; load the page to see the other.',
  tooMany: `This text has ${workLimits.versions} versions, which is the most. Please go on in a new one.`,
  decided: 'This proposal was decided before.',
  tooOften: 'You have saved very many versions in the last hour. Please wait a while.',
  quota: 'Your texts take 200 MB with all their versions, which is the most. Please delete some first.',
};

/** Escapes what `ilike` takes for more than itself. */
const contains = (query: string) => `%${query.replace(/[\\%_]/g, '\\$&')}%`;

function cursor(text: string | undefined): { at: string; id: string } | null {
  const [at, id] = text?.split('_') ?? [];
  // Date.parse takes more than PostgreSQL does.
  const time = at && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) && !Number.isNaN(Date.parse(at));
  return time && id && isUuid(id) ? { at, id } : null;
}

const rowOf = ({ updated_at, ...row }: store.ListedWork): WorkRow => ({
  ...row,
  updatedAt: updated_at.toISOString(),
});

/** A page of the actor's works of one tool, newest first, those that hold a text if one is given; a guest has none. */
export async function listWorks({
  actor,
  input,
}: {
  actor: Actor;
  input: { feature: WorkFeature; q?: string; before?: string };
}): Promise<{ works: WorkRow[]; next: string | null }> {
  if (actor.kind !== 'user') return { works: [], next: null };
  const query = cleanLine(input.q ?? '', workLimits.searchLength);
  const rows = await store.workPage(database(), {
    userId: actor.userId,
    feature: input.feature,
    containing: query ? contains(query) : null,
    before: cursor(input.before),
    limit: workLimits.perPage,
  });
  const last = rows.at(-1);
  const next =
    rows.length === workLimits.perPage && last ? `${last.updated_at.toISOString()}_${last.id}` : null;
  return { works: rows.map(rowOf), next };
}

/** A work of the actor. @throws Problem not_found. */
export async function own(db: Database, actor: UserActor, id: string): Promise<store.WorkRecord> {
  const work = isUuid(id) ? await store.ownWork(db, actor.userId, id) : null;
  if (!work) throw notFound();
  return work;
}

const versionOf = (row: store.VersionRecord): VersionRow => ({
  id: row.id,
  kind: row.kind,
  createdAt: row.created_at.toISOString(),
  savedAt: row.saved_at.toISOString(),
  state: row.state ?? 'done',
  generationId: row.generation_id,
  finishReason: row.finish_reason,
  error: row.error_message,
  creditsCharged: row.credits_charged ?? 0,
  words: row.words,
  note: row.note,
  settings: row.settings,
  edition: row.edition,
});

const runs = (state: string | null) => state === 'queued' || state === 'running';

/** The proposal that is to be shown: it runs, or has a text that waits for a decision. */
function openProposal(row: store.ProposalRecord | null): Proposal | null {
  if (!row || row.decision !== null || (!runs(row.state) && row.content === '')) return null;
  return {
    id: row.id,
    versionId: row.version_id,
    generationId: row.generation_id,
    state: row.state,
    error: row.error_message,
    request: row.request,
    content: row.content,
    createdAt: row.created_at.toISOString(),
  };
}

/** A work with one version of it (see WorkView). @throws Problem not_found. */
export async function openWork({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; version?: string; feature?: WorkFeature };
}): Promise<WorkView> {
  const work = await own(database(), actor, input.id);
  if (input.feature && work.feature !== input.feature) throw notFound();
  const [rows, proposal] = await Promise.all([
    store.versionsOf(database(), work.id),
    store.proposalOf(database(), work.id),
  ]);
  const wanted = input.version
    ? rows.find(({ id }) => id === input.version)
    : (rows.find(({ has_text, state }) => has_text || runs(state)) ?? rows[0]);
  const content = wanted && (await store.contentOf(database(), work.id, wanted.id));
  if (!wanted || content === null || content === undefined) throw notFound();
  return {
    id: work.id,
    feature: work.feature,
    title: work.title,
    createdAt: work.created_at.toISOString(),
    updatedAt: work.updated_at.toISOString(),
    version: { ...versionOf(wanted), content },
    versions: rows.map(versionOf),
    proposal: openProposal(proposal),
  };
}

/** Gives a work a title; a blank one changes nothing. @throws Problem not_found. */
export async function renameWork({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; title: string };
}): Promise<{ id: string; title: string }> {
  const work = await own(database(), actor, input.id);
  const title = cleanLine(input.title, workLimits.titleLength);
  if (title) await store.setTitle(database(), work.id, title);
  return { id: work.id, title: title || work.title };
}

/** Removes a work from view and stops what is being written of it; its words are erased later. @throws Problem not_found. */
export async function deleteWork({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<void> {
  const { id } = input;
  if (!isUuid(id) || (await store.softDelete(database(), actor.userId, id)) === 0) throw notFound();
  await stopRuns(actor, await store.openRuns(database(), id));
}

/** Brings back a deleted work while its words are kept. @throws Problem not_found. */
export async function restoreWork({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<WorkView> {
  const { id } = input;
  if (!isUuid(id) || !(await store.undelete(database(), actor.userId, id, workLimits.keepDays)))
    throw notFound();
  return openWork({ actor, input: { id } });
}

async function stopRuns(actor: UserActor, ids: string[]): Promise<void> {
  for (const id of ids) await stop(actor, id);
}

/** Versions that a person's own hand adds, an hour, and bytes of all their texts. */
const ADDED = { max: 300, seconds: 3600 };
const QUOTA = 200 * 1024 ** 2;

/** @throws Problem rate_limited, too_large, for a person who adds more than one writes. */
async function checkRoom(actor: UserActor): Promise<void> {
  await enforceLimit(`works:${actor.userId}`, ADDED, texts.tooOften);
  if ((await store.bytesOf(database(), actor.userId)) >= QUOTA) throw new Problem('too_large', texts.quota);
}

interface Locked {
  work: store.WorkRecord;
  versions: store.VersionRecord[];
  tx: Database;
}

/** Changes the versions of a work of the actor, one change after the other. */
function changing<T>(actor: UserActor, id: string, change: (locked: Locked) => Promise<T>): Promise<T> {
  return transaction(async (tx) => {
    const work = isUuid(id) ? await store.lockedWork(tx, actor.userId, id) : null;
    if (!work) throw notFound();
    return change({ work, versions: await store.versionsOf(tx, work.id), tx });
  });
}

const conflict = (text: string) => new Problem('conflict', text);

/** The title on the title page of a script; '' for none, and for other texts. */
const titleOnPage = (feature: string, content: string) =>
  feature === 'script'
    ? cleanLine(titleValue(readTitlePage(linesOf(content)).title, 'Title'), workLimits.titleLength)
    : '';

/** A script whose title page gets another title is called so. */
async function takeTitle(
  tx: Database,
  { work, versions, content }: Pick<Locked, 'work' | 'versions'> & { content: string },
): Promise<void> {
  const title = titleOnPage(work.feature, content);
  if (title === '' || title === work.title) return;
  const newest = versions.find(({ has_text }) => has_text);
  const before = newest ? await store.contentOf(tx, work.id, newest.id) : null;
  if (title !== titleOnPage(work.feature, before ?? '')) await store.setTitle(tx, work.id, title);
}

/**
 * Saves what the actor made of a text by hand (see `saveVersion` of the contract). The settings of the version below
 * are kept.
 * @throws Problem not_found; conflict when somebody else has saved, a newer version is there, or there are too many.
 */
export async function saveEdit({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; versionId: string; content: string; edition: number };
}): Promise<{ id: string; edition: number; words: number }> {
  const { versionId, edition } = input;
  if (!isUuid(versionId)) throw notFound();
  const content = cleanText(input.content);
  const words = countWords(content);
  if (edition === 0) await checkRoom(actor);
  return changing(actor, input.id, async ({ work, versions, tx }) => {
    await takeTitle(tx, { work, versions, content });
    const known = versions.find(({ id }) => id === versionId);
    const text = { id: versionId, workId: work.id, content, words };
    if (known) {
      if (versions[0]?.id !== versionId) throw conflict(texts.older);
      const saved = await store.replaceText(tx, { ...text, edition });
      // An answer that was lost is asked for again.
      const again = saved === null && (await store.contentOf(tx, work.id, versionId)) === content;
      if (saved === null && !again) throw conflict(texts.changed);
      return { id: versionId, edition: saved ?? known.edition, words };
    }
    if (edition !== 0) throw conflict(texts.changed);
    if (versions.length >= workLimits.versions) throw conflict(texts.tooMany);
    const settings = versions.find(({ has_text }) => has_text)?.settings ?? {};
    if (!(await store.insertVersion(tx, { ...text, kind: 'edited', settings, note: null }))) throw notFound();
    return { id: versionId, edition: 1, words };
  });
}

/** Makes an older version the newest one again, as a version of its own. @throws Problem not_found, conflict. */
export async function restoreVersion({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; versionId: string };
}): Promise<WorkView> {
  await checkRoom(actor);
  await changing(actor, input.id, async ({ work, versions, tx }) => {
    const old = versions.find(({ id }) => id === input.versionId);
    const content = old && (await store.contentOf(tx, work.id, old.id));
    if (!old || !content) throw notFound();
    if (versions.length >= workLimits.versions) throw conflict(texts.tooMany);
    const { settings, words, note } = old;
    await store.insertVersion(tx, {
      id: uuid(),
      workId: work.id,
      kind: 'restored',
      settings,
      content,
      words,
      note,
    });
  });
  return openWork({ actor, input: { id: input.id } });
}

/**
 * Takes a proposal, which makes a version of the text that holds it, or lets it go. The same decision again changes
 * nothing.
 * @throws Problem not_found; bad_request without a text to take; conflict for another decision than before.
 */
export async function decideProposal({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; proposalId: string; decision: 'accepted' | 'discarded'; content?: string };
}): Promise<WorkView> {
  const { id, proposalId, decision } = input;
  const content = cleanText(input.content ?? '');
  if (!isUuid(proposalId)) throw notFound();
  if (decision === 'accepted' && content === '')
    throw new Problem('bad_request', 'The text with the proposal is missing.');
  if (decision === 'accepted') await checkRoom(actor);
  await changing(actor, id, async ({ work, versions, tx }) => {
    const proposal = await store.proposalOf(tx, work.id, proposalId);
    if (!proposal) throw notFound();
    if (!(await store.decide(tx, proposalId, decision))) {
      if (proposal.decision !== decision) throw conflict(texts.decided);
      return;
    }
    if (decision === 'discarded') return;
    if (versions.length >= workLimits.versions) throw conflict(texts.tooMany);
    const settings = versions.find((version) => version.id === proposal.version_id)?.settings ?? {};
    const words = countWords(content);
    await store.insertVersion(tx, {
      id: uuid(),
      workId: work.id,
      kind: 'refined',
      settings,
      content,
      words,
      note: null,
    });
  });
  if (decision === 'discarded') await stopRuns(actor, await store.openRuns(database(), id, proposalId));
  return openWork({ actor, input: { id } });
}

/** Erases what was deleted longer ago than it is kept. @returns the number of works. */
export function purgeWorks(): Promise<number> {
  return transaction((tx) => store.purgeDeleted(tx, workLimits.keepDays));
}
