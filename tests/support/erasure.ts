import { runJob } from './files.ts';
import type { TestServer } from './server.ts';

/** Runs the job that erases deleted accounts as its hour would, and waits for its end. */
export const runErasure = (server: TestServer): Promise<void> => runJob(server, 'erase-people');
