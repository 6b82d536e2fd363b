import { readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import pg from 'pg';
import { expectConsistent } from './consistency.ts';
import { control } from './gateway.ts';
import type { StartedServer, TestServer } from './server.ts';

/** A process that another process started, with only the members that tests use. */
function remote(pid: number): TestServer['process'] {
  const signal = (name?: NodeJS.Signals | number) => {
    try {
      return process.kill(pid, name);
    } catch {
      return false;
    }
  };
  return {
    pid,
    kill: signal,
    signalCode: null,
    get exitCode() {
      return signal(0) ? null : 1;
    },
  };
}

/**
 * Borrows a running server with its initial settings, for a test file that needs no environment variables. Other files
 * have used it: rate limits and the stand-ins' switches are reset, but people and texts stay. A file that counts across
 * all people or moves the clock must start its own server (`startTestServer`): the next file would find rows with
 * future times.
 * @param poolUrl `inject('servers')`
 */
export async function borrowServer(poolUrl: string): Promise<TestServer> {
  const answer = await fetch(poolUrl);
  if (!answer.ok) throw new Error(`No server to share: ${await answer.text()}`);
  const { pid, ...site } = (await answer.json()) as StartedServer;
  const database = new pg.Pool({ connectionString: site.databaseUrl, max: 4 });
  database.on('error', () => undefined);
  const logStart = statSync(site.logFile).size;
  const never = () => Promise.reject(new Error('A shared server is not ended by a test file.'));
  const server: TestServer = {
    ...site,
    database,
    process: remote(pid),
    output: () => readFileSync(site.logFile).subarray(logStart).toString(),
    end: never,
    kill: never,
    async stop() {
      // Stops the runs that a test left open, so that the next file does not find them.
      await database.query('update generations set stop_requested_at = app_now() where finished_at is null');
      try {
        // Fails this file, not the next borrower; a server that fails the check is not lent again.
        await expectConsistent(server);
      } finally {
        await database.end();
      }
      await fetch(`${poolUrl}/?back=${encodeURIComponent(site.url)}`);
    },
  };
  await control(server, { reset: true });
  await database.query('delete from rate_limits');
  return server;
}
