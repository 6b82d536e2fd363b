import { runJob } from './files.ts';
import type { TestServer } from './server.ts';

/** Runs the scheduled job that erases deleted accounts now, and waits for its end. */
export const runErasure = (server: TestServer): Promise<void> => runJob(server, 'erase-people');
