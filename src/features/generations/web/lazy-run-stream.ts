import { ConnectionError } from '#client/problem-error.ts';
import type { RunOptions, RunRequest } from './run-stream.ts';

/** A page needs it from its first run on. */
export const loadRunStream = () =>
  import('./run-stream.ts').catch((cause: unknown) => {
    throw new ConnectionError(cause);
  });

export const openRun = async (request: RunRequest, options: RunOptions): Promise<void> =>
  (await loadRunStream()).openRun(request, options);

export const subscribeToRun = async (generationId: string, options: RunOptions): Promise<void> =>
  (await loadRunStream()).subscribeToRun(generationId, options);
