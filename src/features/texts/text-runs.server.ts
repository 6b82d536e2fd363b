import { v7 as uuid } from 'uuid';
import type { Feature } from '#features/credits/contract.ts';
import { startedRun, startRun } from '#features/generations/service.server.ts';
import { m } from '#messages';
import type { Statement } from '#platform/database/sql.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { notFound, requireUuid } from '#platform/http/problem.server.ts';
import { cleanLine } from '#shared/clean-text.ts';
import { textLength } from '#shared/text-length.ts';
import { type StartedProposal, type StartedVersion, textLimits } from './contract.ts';
import { proposalStatement, storeVersionStatement, versionStatement } from './store.server.ts';

interface Run {
  actor: UserActor;
  feature: Feature;
  /** The client's idempotency key; repeating it with the same `fingerprint` returns the same run. */
  key: string;
  fingerprint: unknown;
  payload: unknown;
}

/** SQLSTATEs that the migration's functions raise, and that of an id that is taken. */
const notFoundCodes = new Set(['P0002', '23505']);

const asNotFound = (error: { code?: string }) => {
  throw notFoundCodes.has(error.code ?? '') ? notFound() : error;
};

/**
 * Writes the version in the statement that admits its run; a null `workId` creates a work. @param settings are shown
 * with the version and must hold no secret. @throws Problem not_found, and the refusals of admission.
 */
export async function startVersion({
  title,
  settings,
  workId,
  ...run
}: Run & { workId: string | null; title: string; settings: object }): Promise<StartedVersion> {
  const { actor, feature, key, fingerprint, payload } = run;
  if (workId !== null) requireUuid(workId);
  const row = {
    userId: actor.userId,
    feature,
    workId: workId ?? uuid(),
    title: workId === null ? cleanLine(title, textLimits.titleLength) || m.texts_untitled() : null,
    versionId: uuid(),
    settings,
  };
  const started = await startRun<{ work_id: string | null; version_id: string }>(actor, {
    feature,
    key,
    fingerprint,
    payload,
    write: (admission) => versionStatement(admission, row),
  }).catch(asNotFound);
  const { work_id, version_id } = started.written;
  // A repeated key whose work has been erased.
  if (work_id === null) throw notFound();
  return {
    work: { id: work_id },
    version: { id: version_id },
    ...startedRun(started),
  };
}

interface VersionContent {
  generationId: string;
  content: string;
  note?: string | null;
  /** Used only if the owner has not named the work. */
  title?: string | null;
}

export function storeVersion(closing: Statement, { generationId, content, note, title }: VersionContent) {
  return storeVersionStatement(closing, {
    generationId,
    content,
    ...textLength(content),
    note: note ?? null,
    title: title ? cleanLine(title, textLimits.titleLength) || null : null,
  });
}

/**
 * Writes the proposal in the statement that admits its run. @param request the instruction, including the part and its
 * position. @throws Problem not_found if the actor has no such version, and the refusals of admission.
 */
export async function startProposal({
  workId,
  versionId,
  request,
  ...run
}: Run & { workId: string; versionId: string; request: object }): Promise<StartedProposal> {
  const { actor, feature, key, fingerprint, payload } = run;
  for (const id of [workId, versionId]) requireUuid(id);
  const row = { userId: actor.userId, workId, versionId, proposalId: uuid(), request };
  const started = await startRun<{ work_id: string | null; proposal_id: string }>(actor, {
    feature,
    key,
    fingerprint,
    payload,
    write: (admission) => proposalStatement(admission, row),
  }).catch(asNotFound);
  const { work_id, proposal_id } = started.written;
  if (work_id === null) throw notFound();
  return {
    work: { id: work_id },
    proposal: { id: proposal_id },
    ...startedRun(started),
  };
}
