import { ConnectionError } from '#client/problem-error.ts';
import type { RunOptions, RunRequest } from './run-stream.ts';

type RunStream = typeof import('./run-stream.ts');

/** A second `import()` of what is loaded answers only after the page has been painted anew. */
let loaded: RunStream | undefined;

/** A page needs it from its first run on. @throws ConnectionError when it does not come. */
export const loadRunStream = async (): Promise<RunStream> =>
  (loaded ??= await import('./run-stream.ts').catch((cause: unknown) => {
    throw new ConnectionError(cause);
  }));

/** Asks at once where the code is loaded, before the page shows that it does. */
export const openRun = async (request: RunRequest, options: RunOptions): Promise<void> =>
  (loaded ?? (await loadRunStream())).openRun(request, options);

export const subscribeToRun = async (generationId: string, options: RunOptions): Promise<void> =>
  (await loadRunStream()).subscribeToRun(generationId, options);
