import { readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import pg from 'pg';
import { control } from './gateway.ts';
import type { StartedServer, TestServer } from './server.ts';
import { expectSound } from './soundness.ts';

/** A process that another one has started, as far as tests look at it. */
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
 * A running server with the settings of the start, for a test file without an environment of its own. Other files have
 * used it: its limits and the switches of its stand-ins begin anew, its people and texts stay. A file that counts over
 * everybody, or moves the clock, needs a server of its own (`startTestServer`): what was made in the future would be
 * found by the next file.
 * @param desk `inject('servers')`
 */
export async function borrowServer(desk: string): Promise<TestServer> {
  const answer = await fetch(desk);
  if (!answer.ok) throw new Error(`No server to share: ${await answer.text()}`);
  const { pid, ...site } = (await answer.json()) as StartedServer;
  const database = new pg.Pool({ connectionString: site.databaseUrl, max: 4 });
  database.on('error', () => undefined);
  const from = statSync(site.logFile).size;
  const never = () => Promise.reject(new Error('A shared server is not ended by a test file.'));
  const server: TestServer = {
    ...site,
    database,
    process: remote(pid),
    output: () => readFileSync(site.logFile).subarray(from).toString(),
    end: never,
    kill: never,
    async stop() {
      // What a test left running ends here, and is not found by the next file.
      await database.query('update generations set stop_requested_at = app_now() where finished_at is null');
      try {
        // Here, and not in the next file that looks; one that is not sound is lent to nobody any more.
        await expectSound(server);
      } finally {
        await database.end();
      }
      await fetch(`${desk}/?back=${encodeURIComponent(site.url)}`);
    },
  };
  await control(server, { reset: true });
  await database.query('delete from rate_limits');
  return server;
}
