import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import {
  type CallFailure,
  callFailure,
  generateImage,
  type RunContext,
  RunFailure,
  type Tool,
} from '#features/generations/service.server.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import { fileKey, removeFile, storeFile } from '#platform/files/file-store.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { type CoverImage, coverPng } from '#platform/images/cover.server.ts';
import { withPngMetadata } from '#platform/images/png-metadata.server.ts';
import { log } from '#platform/log.server.ts';
import { PICTURE_KIND } from './cleanup.server.ts';
import { type ImageStep, type PictureView, pixelsOf, previewWidths } from './contract.ts';
import { provenanceMetadata } from './provenance.server.ts';
import { insertPicture, jobOfRun, type NewJob } from './store.server.ts';

/** Of one picture; its base64 makes the answer a third larger than the picture. */
const BOUNDS = { totalMs: 150_000, bytes: 16 * 1024 * 1024 };
const CONCURRENCY = 2;
/** A picture that is paid for waits for the shared encoder instead of failing. */
const QUEUE_WAIT_MS = 60_000;

async function reencodeInQueue(bytes: Buffer, job: NewJob, key: string): Promise<CoverImage> {
  for (const until = Date.now() + QUEUE_WAIT_MS; ; ) {
    try {
      return await coverPng(bytes, { key, ...pixelsOf(job.size), previewWidths });
    } catch (error) {
      const busy = error instanceof Problem && error.code === 'unavailable';
      if (!busy || Date.now() > until) throw error;
      await pause(500);
    }
  }
}

/** Files first, then the row: a crash between the two leaves files only, which are swept. */
async function storePicture(jobId: string, job: NewJob, position: number, bytes: Buffer) {
  const id = uuid();
  const { png, previews } = await reencodeInQueue(bytes, job, id);
  const whole = withPngMetadata(
    png,
    provenanceMetadata({ prompt: job.prompt, model: job.model, madeAt: new Date() }),
  );
  const keys: string[] = [];
  try {
    for (const file of [whole, ...previews]) keys.push(await storeFile(PICTURE_KIND, file));
    const [file_key = '', small_key = '', medium_key = ''] = keys;
    const { width, height } = pixelsOf(job.size);
    const view: PictureView = { id, position, width, height, bytes: whole.length };
    const preview_bytes = previews.reduce((sum, { length }) => sum + length, 0);
    const row = { ...view, job_id: jobId, preview_bytes, file_key, small_key, medium_key };
    if (!(await insertPicture(database(), row))) throw new Error('The person of a picture is gone.');
    return view;
  } catch (error) {
    for (const key of keys) await removeFile(fileKey(key)).catch(() => undefined);
    throw error;
  }
}

interface Outcome {
  position: number;
  picture?: PictureView;
  error?: unknown;
}

async function generateOne(context: RunContext, job: NewJob, position: number): Promise<Outcome> {
  try {
    const { bytes } = await generateImage({
      context,
      purpose: 'image',
      model: job.model,
      prompt: job.prompt,
      shape: job.size === '768x512' ? 'landscape' : 'square',
      bounds: BOUNDS,
    });
    return { position, picture: await storePicture(context.generationId, job, position, bytes) };
  } catch (error) {
    logFailure(context, error);
    return { position, error };
  }
}

const kindOf = (error: unknown): string =>
  error instanceof RunFailure
    ? error.code
    : (callFailure(error)?.kind ?? (error instanceof Problem ? 'picture' : 'internal'));

function logFailure({ generationId: generation, signal }: RunContext, error: unknown): void {
  // The daily cap is logged where it is reached.
  if (signal.aborted || error instanceof RunFailure) return;
  const call = callFailure(error);
  if (call) log[call.said ? 'error' : 'warn']({ generation, ...call }, 'a picture failed');
  else if (error instanceof Problem)
    log.warn({ generation, said: error.message }, 'the gateway sent no picture that can be used');
  else log.error({ generation, error }, 'a picture failed');
}

/** Another call for the same prompt would end the same way. */
const isPermanent = (error: unknown) => error instanceof RunFailure || callFailure(error)?.lasting === true;

/** A stop goes to the engine as it is. */
function failureOf(context: RunContext, error: unknown): unknown {
  if (context.signal.aborted || error instanceof RunFailure) return error;
  return new RunFailure(kindOf(error), nameOf(callFailure(error)));
}

const failures = {
  images_declined_provider: m.images_declined_provider,
  images_failed: m.images_failed,
  images_unfit: m.images_unfit,
  images_unserved: m.images_unserved,
};

function nameOf(call: CallFailure | null): keyof typeof failures {
  if (call?.kind === 'moderation') return 'images_declined_provider';
  if (!call?.lasting) return 'images_failed';
  return call.blame === 'user' ? 'images_unfit' : 'images_unserved';
}

const line = (step: ImageStep) => `${JSON.stringify(step)}\n`;

async function* draw(context: RunContext, job: NewJob) {
  const running = new Map<number, Promise<Outcome>>();
  let [begun, delivered] = [0, 0];
  let failure: unknown;
  for (;;) {
    while (
      begun < job.count &&
      running.size < CONCURRENCY &&
      !context.signal.aborted &&
      !isPermanent(failure)
    ) {
      const position = begun++;
      running.set(position, generateOne(context, job, position));
    }
    if (running.size === 0) break;
    const { position, picture, error } = await Promise.race(running.values());
    running.delete(position);
    if (picture) {
      delivered++;
      context.deliver();
      yield line({ position, picture });
    } else {
      failure ??= error;
      yield line({ position, failed: kindOf(error) });
    }
  }
  if (delivered === 0 || context.signal.aborted)
    throw failureOf(context, failure ?? new Error('The run was stopped.'));
  return { finish: 'stop' as const, result: { delivered, of: job.count } };
}

/** One call per picture, so that N of M are charged as N; each is stored before it counts. */
export const imageTool: Tool<object> = {
  feature: 'image',
  charges: 'units',
  failures,
  async *run(context, _, recalled) {
    const job = (recalled as NewJob | undefined) ?? (await jobOfRun(database(), context.generationId));
    if (!job) throw new Error('The job of a run is gone.');
    return yield* draw(context, job);
  },
  store: (_, closing) => closing,
};
