import { validate as isUuid } from 'uuid';
import { config, pictureGateway } from '../../platform/config/config.server.ts';
import { database, transaction } from '../../platform/database/database.server.ts';
import { fileKey, openFile } from '../../platform/files/files.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../platform/http/problem.server.ts';
import { enforceLimit } from '../../platform/http/rate-limit.server.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { slugOf } from '../../shared/slug.ts';
import { visibleText } from '../../shared/typed-text.ts';
import { me } from '../accounts/users/service.server.ts';
import { featureTable, planLimits } from '../credits/contract.ts';
import { knowsKey, start, stop } from '../generations/service.server.ts';
import {
  type ImageJob,
  type ImagePage,
  imageLimits,
  imageTexts,
  isImageSize,
  type PictureView,
  previewWidths,
  type StartedImages,
  type StartImages,
} from './contract.ts';
import { checkPrompt } from './moderation/service.server.ts';
import {
  bytesOf,
  type JobRow,
  jobStatement,
  jobsBefore,
  markJob,
  markPicture,
  type NewJob,
  ownJob,
  ownPicture,
  type PictureRow,
  picturesOf,
  unmarkJob,
  unmarkPicture,
} from './store.server.ts';

/** Requests that are put to moderation. */
const ASKED = { max: 60, seconds: 600 };
/** Bytes of all pictures that a person keeps. */
const QUOTA = 1024 ** 3;
const PAGE = 12;

const texts = {
  tooLong: `A prompt has at most ${imageLimits.prompt.toLocaleString('en')} characters.`,
  tooOften: 'You have asked for many images in a short time. Please wait a few minutes.',
  quota: 'Your images take 1 GB, which is the most. Please delete some first.',
};

interface As<Input> {
  actor: UserActor;
  input: Input;
}

const pictureView = ({ id, position, width, height, bytes }: PictureRow): PictureView => ({
  id,
  position,
  width,
  height,
  bytes,
});

function jobView(row: JobRow, pictures: PictureRow[]): ImageJob {
  const { id, prompt, size, count, made, model, state } = row;
  return {
    ...{ id, prompt, size, count, made, model, state },
    creditsCharged: row.credits_charged,
    createdAt: row.created_at.toISOString(),
    error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
    pictures: pictures.filter((picture) => picture.job_id === id).map(pictureView),
  };
}

async function viewed(rows: JobRow[]): Promise<ImageJob[]> {
  const pictures =
    rows.length > 0
      ? await picturesOf(
          database(),
          rows.map(({ id }) => id),
        )
      : [];
  return rows.map((row) => jobView(row, pictures));
}

const insufficient = (count: number) =>
  new Problem('credits_exhausted', imageTexts.insufficient(featureTable.image.price * count, count));

/**
 * What is asked before anything is charged: room, credits (nobody's prompt is sent out who cannot pay for it), then
 * moderation.
 */
async function clear(actor: UserActor, { prompt, count }: { prompt: string; count: number }): Promise<void> {
  const { plan, credits } = await me({ actor });
  if (!planLimits[plan].unlimited && credits < featureTable.image.price * count) throw insufficient(count);
  await enforceLimit(`images:${actor.userId}`, ASKED, texts.tooOften);
  if ((await bytesOf(database(), actor.userId)) >= QUOTA) throw new Problem('too_large', texts.quota);
  await checkPrompt(prompt);
}

const clearing = new Map<string, Promise<void>>();

/** The same request at the same moment is looked at once. */
function clearOnce(name: string, look: () => Promise<void>): Promise<void> {
  const known = clearing.get(name);
  if (known) return known;
  const looking = look().finally(() => clearing.delete(name));
  clearing.set(name, looking);
  return looking;
}

/**
 * Starts a run that makes pictures. The same key and body again is the same run, and is not moderated again.
 * @throws Problem bad_request (no prompt, too long), prompt_declined, check_unavailable, too_large, rate_limited, and
 * the refusals of admission.
 */
export async function startJob({ actor, input }: As<StartImages & { key: string }>): Promise<StartedImages> {
  const { size, count, key } = input;
  const prompt = visibleText(input.prompt);
  if (prompt === '') throw new Problem('bad_request', imageTexts.emptyPrompt);
  if (prompt.length > imageLimits.prompt) throw new Problem('bad_request', texts.tooLong);
  const bound = ['images', prompt, size, count];
  if (!(await knowsKey({ actor, input: { key } })))
    await clearOnce(JSON.stringify([actor.userId, key, bound]), () => clear(actor, { prompt, count }));
  const job: NewJob = { userId: actor.userId, prompt, size, count, model: pictureGateway(config()).model };
  const started = await start(actor, {
    feature: 'image',
    units: count,
    model: job.model,
    key,
    bound,
    payload: {},
    write: (admission) => jobStatement(admission, job),
    recall: () => job,
  }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'credits_exhausted' ? insufficient(count) : error;
  });
  const id = started.generationId;
  return {
    job: await openJob({ actor, input: { id } }),
    generation: { id, state: started.state },
    credits: started.unlimited ? null : started.credits,
  };
}

/** Patterns of LIKE for the words of a search. */
const patterns = (q: string) =>
  cleanText(q)
    .slice(0, imageLimits.search)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);

/** One page of the actor's requests, newest first; `q` words of the prompt. An unknown size or id is ignored. */
export async function listJobs({
  actor,
  input,
}: As<{
  q?: string | undefined;
  size?: string | undefined;
  before?: string | undefined;
}>): Promise<ImagePage> {
  const rows = await jobsBefore(database(), {
    userId: actor.userId,
    like: patterns(input.q ?? ''),
    size: isImageSize(input.size) ? input.size : null,
    before: isUuid(input.before) ? (input.before ?? null) : null,
    limit: PAGE + 1,
  });
  const jobs = await viewed(rows.slice(0, PAGE));
  return { jobs, next: rows.length > PAGE ? (jobs.at(-1)?.id ?? null) : null };
}

/** One request of the actor. @throws Problem not_found. */
export async function openJob({ actor, input: { id } }: As<{ id: string }>): Promise<ImageJob> {
  const row = isUuid(id) ? await ownJob(database(), actor.userId, id) : null;
  const [job] = row && !row.deleted_at ? await viewed([row]) : [];
  if (!job) throw notFound();
  return job;
}

/** Deletes a request with its pictures, and stops it if it runs. It can come back for 7 days. @throws Problem not_found. */
export async function deleteJob({ actor, input: { id } }: As<{ id: string }>): Promise<void> {
  const row = isUuid(id) ? await ownJob(database(), actor.userId, id) : null;
  if (!row) throw notFound();
  if (row.state === 'queued' || row.state === 'running') await stop(actor, id);
  if (!(await markJob(database(), actor.userId, id))) throw notFound();
}

/** Takes a deletion back. @throws Problem not_found, also when its time is over. */
export async function restoreJob({ actor, input: { id } }: As<{ id: string }>): Promise<ImageJob> {
  if (!isUuid(id) || !(await unmarkJob(database(), actor.userId, id))) throw notFound();
  return openJob({ actor, input: { id } });
}

/** Deletes one picture, and its request with the last of them. @throws Problem not_found. */
export async function deletePicture({ actor, input: { id } }: As<{ id: string }>): Promise<void> {
  const job = isUuid(id) ? await transaction((tx) => markPicture(tx, actor.userId, id)) : null;
  if (!job) throw notFound();
}

/** Takes the deletion of a picture back. @throws Problem not_found, also when its time is over. */
export async function restorePicture({ actor, input: { id } }: As<{ id: string }>): Promise<ImageJob> {
  const job = isUuid(id) ? await transaction((tx) => unmarkPicture(tx, actor.userId, id)) : null;
  if (!job) throw notFound();
  return openJob({ actor, input: { id: job } });
}

/**
 * The bytes of a picture of the actor: the PNG, or for a width the smallest preview that is wide enough. The stream must
 * be read or destroyed. @throws Problem not_found.
 */
export async function openPicture({ actor, input }: As<{ id: string; width: number | null }>) {
  const row = isUuid(input.id) ? await ownPicture(database(), actor.userId, input.id) : null;
  if (!row) throw notFound();
  const [small, medium] = previewWidths;
  const wanted = input.width ?? Number.POSITIVE_INFINITY;
  const key = wanted <= small ? row.small_key : wanted <= medium ? row.medium_key : row.file_key;
  const file = await openFile(fileKey(key));
  if (!file) throw notFound();
  const type = key === row.file_key ? 'image/png' : 'image/webp';
  const name = `${slugOf(row.prompt, 'image')}-${row.id.slice(-8)}.${type.slice(6)}`;
  return { ...file, type, name };
}
