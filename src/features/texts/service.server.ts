import { v7 as uuid } from 'uuid';
import type { Feature } from '#features/credits/contract.ts';
import { isRunning } from '#features/generations/contract.ts';
import { failureText, stopRuns } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { likePattern, pageOf, parseTimeCursor, timeCursor } from '#platform/database/page.server.ts';
import type { Actor, ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { cleanLine, cleanText } from '#shared/clean-text.ts';
import { linesOf } from '#shared/fountain/source-lines.ts';
import { readTitlePage, titleValue } from '#shared/fountain/title-page.ts';
import { type TextLength, textLength } from '#shared/text-length.ts';
import { type Proposal, type TextDetail, type TextSummary, textLimits, type VersionRow } from './contract.ts';
import { TEXT_QUOTA } from './import-text.server.ts';
import * as store from './store.server.ts';

export { textFile } from './export-entries.server.ts';
export { addImportedText, cutContent, hasText } from './import-text.server.ts';
export { storeProposal } from './store.server.ts';
export { textItems } from './text-items-store.server.ts';
export { startProposal, startVersion, storeVersion } from './text-runs.server.ts';
export { readTextSnapshot } from './text-snapshot.server.ts';

const toSummary = ({ updated_at, ...row }: store.ListedText): TextSummary => ({
  ...row,
  updatedAt: updated_at.toISOString(),
});

export async function listTexts({
  actor,
  input,
}: {
  actor: Actor;
  input: { feature: Feature; q?: string; before?: string };
}): Promise<{ works: TextSummary[]; next: string | null }> {
  if (actor.kind !== 'user') return { works: [], next: null };
  const query = cleanLine(input.q ?? '', textLimits.searchLength);
  const rows = await store.listTextRows(database(), {
    userId: actor.userId,
    feature: input.feature,
    containing: query ? likePattern(query) : null,
    before: parseTimeCursor(input.before),
    limit: textLimits.perPage + 1,
  });
  const page = pageOf(rows, textLimits.perPage, timeCursor);
  return { works: page.rows.map(toSummary), next: page.next };
}

export async function requireOwnText(db: Database, actor: UserActor, id: string): Promise<store.TextRecord> {
  return requireFound(await store.ownText(db, actor.userId, requireUuid(id)));
}

const toVersionRow = (row: store.VersionRecord): VersionRow => ({
  id: row.id,
  kind: row.kind,
  createdAt: row.created_at.toISOString(),
  savedAt: row.saved_at.toISOString(),
  state: row.state ?? 'done',
  generationId: row.generation_id,
  finishReason: row.finish_reason,
  error: failureText(row.error_message),
  creditsCharged: row.credits_charged ?? 0,
  words: row.words,
  characters: row.characters,
  note: row.note,
  settings: row.settings,
  edition: row.edition,
});

function openProposal(row: store.ProposalRecord | null): Proposal | null {
  if (!row || row.decision !== null || (!isRunning(row.state) && row.content === '')) return null;
  return {
    id: row.id,
    versionId: row.version_id,
    generationId: row.generation_id,
    state: row.state,
    error: failureText(row.error_message),
    request: row.request,
    content: row.content,
    createdAt: row.created_at.toISOString(),
  };
}

export async function openText({
  actor,
  input,
}: ActorInput<{ id: string; version?: string; feature?: Feature }>): Promise<TextDetail> {
  const work = await requireOwnText(database(), actor, input.id);
  if (input.feature && work.feature !== input.feature) throw notFound();
  const [rows, proposal] = await Promise.all([
    store.versionsOf(database(), work.id),
    store.proposalOf(database(), work.id),
  ]);
  const selected = input.version
    ? rows.find(({ id }) => id === input.version)
    : (rows.find(({ has_text, state }) => has_text || isRunning(state)) ?? rows[0]);
  const content = selected && (await store.contentOf(database(), work.id, selected.id));
  if (!selected || content === null || content === undefined) throw notFound();
  return {
    id: work.id,
    feature: work.feature,
    title: work.title,
    author: work.author,
    createdAt: work.created_at.toISOString(),
    updatedAt: work.updated_at.toISOString(),
    version: { ...toVersionRow(selected), content },
    versions: rows.map(toVersionRow),
    proposal: openProposal(proposal),
  };
}

/** A blank title changes nothing; a blank author removes the name. */
export async function updateText({
  actor,
  input,
}: ActorInput<{ id: string; title?: string | undefined; author?: string | undefined }>): Promise<
  Pick<TextDetail, 'id' | 'title' | 'author'>
> {
  const work = await requireOwnText(database(), actor, input.id);
  const title = cleanLine(input.title ?? '', textLimits.titleLength);
  if (title) await store.setTitle(database(), work.id, title);
  const author = input.author === undefined ? work.author : cleanLine(input.author, textLimits.authorLength);
  if (input.author !== undefined) await store.setAuthor(database(), work.id, author ?? '');
  return { id: work.id, title: title || work.title, author };
}

/** Stops running generations; the content is erased later. */
export async function deleteText({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  const { id } = input;
  if ((await store.softDelete(database(), actor.userId, requireUuid(id))) === 0) throw notFound();
  await stopRuns(actor, await store.openRuns(database(), id));
}

export async function restoreText({ actor, input }: ActorInput<{ id: string }>): Promise<TextDetail> {
  const { id } = input;
  if (!(await store.restoreDeleted(database(), actor.userId, requireUuid(id)))) throw notFound();
  return openText({ actor, input: { id } });
}

/** Limits the versions that a person adds without a run. */
const ADD_LIMIT = { max: 300, seconds: 3600 };

async function checkStorageLimits(actor: UserActor): Promise<void> {
  await enforceLimit(`works:${actor.userId}`, ADD_LIMIT, m.texts_too_often());
  if ((await store.storageUsed(database(), actor.userId)) >= TEXT_QUOTA)
    throw new Problem('too_large', m.texts_quota());
}

/** Stores existing words as a text, without a run or a charge. Repeating an id returns the same text. */
export async function addText({
  actor,
  input,
}: ActorInput<{ id: string; feature: Feature; title: string; content: string }>): Promise<{ id: string }> {
  const { id, feature, title, content } = input;
  await checkStorageLimits(actor);
  const { userId } = actor;
  const row = { id, userId, feature, title, versionId: uuid(), content, ...textLength(content) };
  if (!(await store.insertText(database(), row))) await requireOwnText(database(), actor, id);
  return { id };
}

interface LockedText {
  work: store.TextRecord;
  versions: store.VersionRecord[];
  tx: Database;
}

function changeVersions<T>(actor: UserActor, id: string, change: (locked: LockedText) => Promise<T>) {
  return transaction(async (tx) => {
    const work = requireFound(await store.lockText(tx, actor.userId, requireUuid(id)));
    return change({ work, versions: await store.versionsOf(tx, work.id), tx });
  });
}

const conflict = (text: string) => new Problem('conflict', text);
const tooManyVersions = () => conflict(m.texts_too_many_versions({ count: textLimits.versions }));

const titleOnPage = (feature: string, content: string) =>
  feature === 'script'
    ? cleanLine(titleValue(readTitlePage(linesOf(content)).title, 'Title'), textLimits.titleLength)
    : '';

/** Renames a script when the title on its title page changes. */
async function syncTitle(
  tx: Database,
  { work, versions, content }: Pick<LockedText, 'work' | 'versions'> & { content: string },
): Promise<void> {
  const title = titleOnPage(work.feature, content);
  if (title === '' || title === work.title) return;
  const newest = versions.find(({ has_text }) => has_text);
  const previous = newest ? await store.contentOf(tx, work.id, newest.id) : null;
  if (title !== titleOnPage(work.feature, previous ?? '')) await store.setTitle(tx, work.id, title);
}

/**
 * Keeps the settings of the previous version. @throws Problem conflict if somebody else has saved, a newer version
 * exists, or there are too many versions.
 */
export async function saveEdit({
  actor,
  input,
}: ActorInput<{ id: string; versionId: string; content: string; edition: number }>): Promise<
  { id: string; edition: number } & TextLength
> {
  const { versionId, edition } = input;
  requireUuid(versionId);
  const content = cleanText(input.content);
  const length = textLength(content);
  if (edition === 0) await checkStorageLimits(actor);
  return changeVersions(actor, input.id, async ({ work, versions, tx }) => {
    await syncTitle(tx, { work, versions, content });
    const existing = versions.find(({ id }) => id === versionId);
    const text = { id: versionId, workId: work.id, content, ...length };
    if (existing) {
      if (versions[0]?.id !== versionId) throw conflict(m.texts_newer());
      const saved = await store.replaceText(tx, { ...text, edition });
      // The response to the first attempt may have been lost.
      const isRepeat = saved === null && (await store.contentOf(tx, work.id, versionId)) === content;
      if (saved === null && !isRepeat) throw conflict(m.texts_changed_elsewhere());
      return { id: versionId, edition: saved ?? existing.edition, ...length };
    }
    if (edition !== 0) throw conflict(m.texts_changed_elsewhere());
    if (versions.length >= textLimits.versions) throw tooManyVersions();
    const settings = versions.find(({ has_text }) => has_text)?.settings ?? {};
    if (!(await store.insertVersion(tx, { ...text, kind: 'edited', settings, note: null }))) throw notFound();
    return { id: versionId, edition: 1, ...length };
  });
}

export async function restoreVersion({
  actor,
  input,
}: ActorInput<{ id: string; versionId: string }>): Promise<TextDetail> {
  await checkStorageLimits(actor);
  await changeVersions(actor, input.id, async ({ work, versions, tx }) => {
    const restored = versions.find(({ id }) => id === input.versionId);
    const content = restored && (await store.contentOf(tx, work.id, restored.id));
    if (!restored || !content) throw notFound();
    if (versions.length >= textLimits.versions) throw tooManyVersions();
    const { settings, words, characters, note } = restored;
    await store.insertVersion(tx, {
      id: uuid(),
      workId: work.id,
      kind: 'restored',
      settings,
      content,
      words,
      characters,
      note,
    });
  });
  return openText({ actor, input: { id: input.id } });
}

/**
 * Accepting adds a version. Repeating a decision changes nothing. @throws Problem bad_request if an accepted text is
 * missing; conflict if the opposite was decided before.
 */
export async function decideProposal({
  actor,
  input,
}: ActorInput<{
  id: string;
  proposalId: string;
  decision: 'accepted' | 'discarded';
  content?: string;
}>): Promise<TextDetail> {
  const { id, proposalId, decision } = input;
  const content = cleanText(input.content ?? '');
  requireUuid(proposalId);
  if (decision === 'accepted' && content === '') throw new Problem('bad_request', m.texts_proposal_missing());
  if (decision === 'accepted') await checkStorageLimits(actor);
  await changeVersions(actor, id, async ({ work, versions, tx }) => {
    const proposal = await store.proposalOf(tx, work.id, proposalId);
    if (!proposal) throw notFound();
    if (!(await store.decide(tx, proposalId, decision))) {
      if (proposal.decision !== decision) throw conflict(m.texts_decided());
      return;
    }
    if (decision === 'discarded') return;
    if (versions.length >= textLimits.versions) throw tooManyVersions();
    const settings = versions.find((version) => version.id === proposal.version_id)?.settings ?? {};
    await store.insertVersion(tx, {
      id: uuid(),
      workId: work.id,
      kind: 'refined',
      settings,
      content,
      ...textLength(content),
      note: null,
    });
  });
  if (decision === 'discarded') await stopRuns(actor, await store.openRuns(database(), id, proposalId));
  return openText({ actor, input: { id } });
}

export function purgeTexts(): Promise<number> {
  return transaction(store.purgeDeleted);
}
