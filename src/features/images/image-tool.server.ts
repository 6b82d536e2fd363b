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
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import type { ImageStep, PictureView } from './contract.ts';
import { insertPicture, jobOfRun, type NewJob } from './store.server.ts';
import { pictureFileKeys, removePictureFiles, storePictureFiles } from './stored-picture.server.ts';

/** Per image. Base64 makes the response a third larger than the image. */
const BOUNDS = { totalMs: 150_000, bytes: 16 * 1024 * 1024 };
const CONCURRENCY = 2;
async function storePicture(jobId: string, job: NewJob, position: number, bytes: Buffer) {
  const stored = await storePictureFiles(bytes, job, { madeAt: new Date() });
  try {
    if (!(await insertPicture(database(), { ...stored, job_id: jobId, position })))
      throw new Error('The person of a picture is gone.');
  } catch (error) {
    await removePictureFiles(pictureFileKeys(stored));
    throw error;
  }
  const { id, width, height, bytes: size } = stored;
  return { id, position, width, height, bytes: size } satisfies PictureView;
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
  // The daily spending cap is logged elsewhere, once, when it is reached.
  if (signal.aborted || error instanceof RunFailure) return;
  const call = callFailure(error);
  if (call) log[call.detail ? 'error' : 'warn']({ generation, ...call }, 'an image failed');
  else if (error instanceof Problem)
    log.warn({ generation, detail: error.message }, 'the gateway sent no usable image');
  else log.error({ generation, error }, 'an image failed');
}

/** Whether another call with the same prompt would fail the same way. */
const isPermanent = (error: unknown) => error instanceof RunFailure || callFailure(error)?.lasting === true;

/** Returns the error to throw; a stop by the user is passed on unchanged. */
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
  let [started, delivered] = [0, 0];
  let failure: unknown;
  for (;;) {
    while (
      started < job.count &&
      running.size < CONCURRENCY &&
      !context.signal.aborted &&
      !isPermanent(failure)
    ) {
      const position = started++;
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

/**
 * Makes one call per image, so that a partial result charges only for the images made. An image counts once it is
 * stored.
 */
export const imageTool: Tool<object> = {
  feature: 'image',
  charges: 'units',
  failures,
  async *run(context, _, knownInput) {
    const job = (knownInput as NewJob | undefined) ?? (await jobOfRun(database(), context.generationId));
    if (!job) throw new Error('The job of a run is gone.');
    return yield* draw(context, job);
  },
  store: (_, closing) => closing,
};
