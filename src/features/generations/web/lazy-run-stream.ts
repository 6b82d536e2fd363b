import { ConnectionError } from '#client/problem-error.ts';
import type { RunOptions, RunRequest } from './run-stream.ts';

type RunStream = typeof import('./run-stream.ts');

/** Kept because a second `import()` of a loaded module resolves only after the next paint. */
let loaded: RunStream | undefined;

/** Loads the code that a page needs from its first run on. @throws ConnectionError if it cannot be loaded. */
export const loadRunStream = async (): Promise<RunStream> =>
  (loaded ??= await import('./run-stream.ts').catch((cause: unknown) => {
    throw new ConnectionError(cause);
  }));

/** Sends the request at once if the code is loaded, before the page repaints. */
export const openRun = async (request: RunRequest, options: RunOptions): Promise<void> =>
  (loaded ?? (await loadRunStream())).openRun(request, options);

export const subscribeToRun = async (generationId: string, options: RunOptions): Promise<void> =>
  (await loadRunStream()).subscribeToRun(generationId, options);
