import { validate as isUuid } from 'uuid';
import { me } from '#features/accounts/service.server.ts';
import { featureTable, planLimits } from '#features/credits/contract.ts';
import { checkOffered } from '#features/credits/service.server.ts';
import { isRunning } from '#features/generations/contract.ts';
import {
  failureText,
  hasRunWithKey,
  type Started,
  type StartInput,
  startedRun,
  startRun,
  stopRun,
} from '#features/generations/service.server.ts';
import { m } from '#messages';
import { config, imageGateway } from '#platform/config/config.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { likePattern, pageOf } from '#platform/database/page.server.ts';
import { fileKey, openFile } from '#platform/files/file-store.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import { visibleText } from '#shared/input-text.ts';
import { slugOf } from '#shared/slug.ts';
import {
  type ImageJob,
  type ImagePage,
  imageLimits,
  isImageSize,
  type PictureView,
  type StartedImages,
  type StartImages,
} from './contract.ts';
import { checkPrompt } from './prompt-moderation.server.ts';
import {
  type JobRow,
  jobStatement,
  jobsBefore,
  type NewJob,
  ownerOfPicture,
  ownJob,
  ownPicture,
  PICTURE_QUOTA,
  type PictureRow,
  picturesOf,
  previewKey,
  softDeleteJob,
  softDeletePicture,
  storageUsed,
  undeleteJob,
  undeletePicture,
} from './store.server.ts';

export { pictureFiles } from './export-entries.server.ts';
export { imageItems } from './image-items-store.server.ts';
export { addImportedImages, hasImages, readImportedImages } from './import-images.server.ts';
export {
  readPictures,
  readSharedPicture,
  remainingPictures,
} from './picture-snapshot.server.ts';
export { drawnImages } from './store.server.ts';
export { removePictureFiles } from './stored-picture.server.ts';

type Person = Pick<UserActor, 'userId'>;

/** Needs only the user id, because calls of the OpenAI-compatible API have no session. */
interface PersonInput<Input> {
  actor: Person;
  input: Input;
}

const MODERATION_LIMIT = { max: 60, seconds: 600 };
const PAGE = 12;

function pictureView({ id, position, width, height, bytes }: PictureRow): PictureView {
  return { id, position, width, height, bytes };
}

function jobView(row: JobRow, pictures: PictureRow[]): ImageJob {
  const { id, prompt, size, count, made, model, state } = row;
  return {
    ...{ id, prompt, size, count, made, model, state },
    creditsCharged: row.credits_charged,
    imported: row.imported,
    createdAt: row.created_at.toISOString(),
    error: row.error_code ? { code: row.error_code, message: failureText(row.error_message ?? '') } : null,
    pictures: pictures.filter((picture) => picture.job_id === id).map(pictureView),
  };
}

async function jobViews(rows: JobRow[]): Promise<ImageJob[]> {
  const ids = rows.map(({ id }) => id);
  const pictures = ids.length > 0 ? await picturesOf(database(), ids) : [];
  return rows.map((row) => jobView(row, pictures));
}

const insufficient = (count: number) =>
  new Problem(
    'credits_exhausted',
    m.images_insufficient({ credits: featureTable.image.price * count, count }),
  );

/**
 * Runs before anything is charged. Checks credits before moderation, so that no prompt is sent out that the person
 * cannot pay for.
 */
async function preflight(actor: Person, { prompt, count }: { prompt: string; count: number }) {
  checkOffered('image');
  const { plan, credits } = await me({ actor });
  if (!planLimits[plan].unlimited && credits < featureTable.image.price * count) throw insufficient(count);
  await enforceLimit(`images:${actor.userId}`, MODERATION_LIMIT, m.images_too_often());
  if ((await storageUsed(database(), actor.userId)) >= PICTURE_QUOTA)
    throw new Problem('too_large', m.images_quota());
  await checkPrompt(prompt);
}

const preflights = new Map<string, Promise<void>>();

/** Concurrent identical requests share one check, until their run is stored. */
function preflightOnce(name: string, check: () => Promise<void>): Promise<void> {
  const known = preflights.get(name);
  if (known) return known;
  const checking = check();
  preflights.set(name, checking);
  return checking;
}

type ImageRun<Written> = StartImages &
  Pick<StartInput<Written>, 'key' | 'byKey' | 'startsChat' | 'write'> & {
    /** What else the idempotency key covers, besides the images. */
    fingerprintPrefix?: unknown[];
  };

/**
 * Starts a run. A repeated request with the same key and body returns the same run, without another moderation. `write`
 * wraps the statement in a larger one, whose columns are returned.
 */
export async function startImageRun<Written extends object>({
  actor,
  input,
}: PersonInput<ImageRun<Written>>): Promise<Started<Written>> {
  const { size, count, key, fingerprintPrefix = [], write = (statement) => statement } = input;
  const prompt = visibleText(input.prompt);
  if (prompt === '') throw new Problem('bad_request', m.images_empty_prompt());
  if (prompt.length > imageLimits.prompt)
    throw new Problem('bad_request', m.images_too_long({ count: imageLimits.prompt }));
  const fingerprint = [...fingerprintPrefix, 'images', prompt, size, count];
  const name = JSON.stringify([actor.userId, key, fingerprint]);
  const check = async () => {
    if (!(await hasRunWithKey({ actor, input: { key } }))) await preflight(actor, { prompt, count });
  };
  const job: NewJob = { userId: actor.userId, prompt, size, count, model: imageGateway(config()).model };
  return preflightOnce(name, check)
    .then(() =>
      startRun<Written>(actor, {
        feature: 'image',
        units: count,
        model: job.model,
        key,
        fingerprint,
        payload: {},
        write: (admission) => jobStatement(admission, job, write),
        knownInput: () => job,
        ...(input.startsChat && { startsChat: input.startsChat }),
        ...(input.byKey && { byKey: input.byKey }),
      }),
    )
    .catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'credits_exhausted' ? insufficient(count) : error;
    })
    .finally(() => preflights.delete(name));
}

export async function startJob({
  actor,
  input,
}: ActorInput<StartImages & { key: string }>): Promise<StartedImages> {
  const started = await startImageRun<object>({ actor, input });
  return { job: await openJob({ actor, input: { id: started.generationId } }), ...startedRun(started) };
}

const likePatterns = (q: string) =>
  cleanText(q)
    .slice(0, imageLimits.search)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(likePattern);

export async function listJobs({
  actor,
  input,
}: ActorInput<{ q?: string; size?: string; before?: string }>): Promise<ImagePage> {
  const rows = await jobsBefore(database(), {
    userId: actor.userId,
    like: likePatterns(input.q ?? ''),
    size: isImageSize(input.size) ? input.size : null,
    before: isUuid(input.before) ? (input.before ?? null) : null,
    limit: PAGE + 1,
  });
  const { rows: shown, next } = pageOf(rows, PAGE, ({ id }) => id);
  return { jobs: await jobViews(shown), next };
}

export async function openJob({ actor, input: { id } }: PersonInput<{ id: string }>): Promise<ImageJob> {
  const row = requireFound(await ownJob(database(), actor.userId, requireUuid(id)));
  const [job] = row.deleted_at ? [] : await jobViews([row]);
  return requireFound(job);
}

export async function deleteJob({ actor, input: { id } }: ActorInput<{ id: string }>): Promise<void> {
  const { state } = requireFound(await ownJob(database(), actor.userId, requireUuid(id)));
  if (isRunning(state)) await stopRun(actor, id);
  if (!(await softDeleteJob(database(), actor.userId, id))) throw notFound();
}

export async function restoreJob({ actor, input: { id } }: ActorInput<{ id: string }>): Promise<ImageJob> {
  if (!(await undeleteJob(database(), actor.userId, requireUuid(id)))) throw notFound();
  return openJob({ actor, input: { id } });
}

/** Deletes the image, and its job if it was the last one. */
export async function deletePicture({ actor, input: { id } }: ActorInput<{ id: string }>): Promise<void> {
  requireFound(await transaction((tx) => softDeletePicture(tx, actor.userId, requireUuid(id))));
}

export async function restorePicture({
  actor,
  input: { id },
}: ActorInput<{ id: string }>): Promise<ImageJob> {
  const job = requireFound(await transaction((tx) => undeletePicture(tx, actor.userId, requireUuid(id))));
  return openJob({ actor, input: { id: job } });
}

/** With a width, opens the smallest preview that is wide enough. The caller must read or destroy the stream. */
export async function openPicture({ actor, input }: PersonInput<{ id: string; width: number | null }>) {
  const row = requireFound(await ownPicture(database(), actor.userId, requireUuid(input.id)));
  const { key, type } = previewKey(row, input.width);
  const file = requireFound(await openFile(fileKey(key)));
  const name = `${slugOf(row.prompt, 'image')}-${row.id.slice(-8)}.${type.slice(6)}`;
  return { ...file, type, name };
}

/** The caller has checked that the person may see the image, for example through a share. */
export async function openAnyPicture(id: string) {
  const userId = requireFound(await ownerOfPicture(database(), requireUuid(id)));
  return openPicture({ actor: { userId }, input: { id, width: null } });
}
