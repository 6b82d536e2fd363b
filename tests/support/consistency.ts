import { expect } from 'vitest';
import { runJob } from './files.ts';
import { eventually, runEntry, runningOn, type TestServer } from './server.ts';

/** Runs `npm run audit` on a server's database, and returns its exit code and the ids of the violated invariants. */
export async function auditCommand(
  server: Pick<TestServer, 'databaseUrl' | 'dataDir'>,
): Promise<{ code: number | null; violated: string[] }> {
  const { code, output } = await runEntry('audit', server);
  if (!/^\{\n.*\n\}\n$/s.test(output)) throw new Error(`The audit did not say JSON alone:\n${output}`);
  const { violated } = JSON.parse(output) as { violated: Array<{ id: string }> };
  return { code, violated: violated.map(({ id }) => id) };
}

const VIOLATED = /^.*"an invariant is violated".*$/gm;

/**
 * Waits until the log is read up to now: it comes through a pipe, so it can arrive later than the database's changes.
 */
async function syncLog(server: TestServer): Promise<void> {
  if (server.process.exitCode !== null || server.process.signalCode !== null) return;
  const path = `/api/${crypto.randomUUID()}`;
  await fetch(`${server.url}${path}`);
  await eventually(async () => server.output().includes(path));
}

/**
 * Runs the nightly audit (or `audit`, the hourly one) now, inside the server.
 * @returns the ids of the violated invariants.
 */
export async function audit(
  server: TestServer,
  job: 'audit' | 'audit-whole' = 'audit-whole',
): Promise<string[]> {
  // Any free process on the database may take the job.
  const violationLines = () => runningOn(server).flatMap((each) => each.output().match(VIOLATED) ?? []);
  // A server that has just started creates its queues after its first log line.
  await eventually(
    async () => (await server.database.query('select 1 from jobs.queue where name = $1', [job])).rowCount,
  );
  const before = violationLines().length;
  await runJob(server, job);
  await Promise.all(runningOn(server).map(syncLog));
  return violationLines()
    .slice(before)
    .map((line) => (JSON.parse(line) as { invariant: string }).invariant);
}

/** Waits until no run is open, title runs included. */
export async function waitUntilIdle(server: TestServer): Promise<void> {
  await eventually(async () => {
    const { rows } = await server.database.query<{ open: number }>(
      `select count(*)::int as open from generations where finished_at is null`,
    );
    return rows[0]?.open === 0;
  });
}

/**
 * Checks I17: returns calls that the gateway stand-in received but no row records, and rows of calls that it never
 * received. A row without a call is right where the run was stopped or lost before the call was sent, or no gateway was
 * reached.
 */
async function unmatchedCalls(server: TestServer): Promise<{ unknown: string[]; unseen: string[] }> {
  const lists = ['chat/completions', 'images', 'images/generations', 'audio/transcriptions'].map(
    async (path) => {
      const response = await fetch(`${server.standins}/log?path=/gateway/v1/${path}`);
      return (await response.json()) as Array<{ requestId: string }>;
    },
  );
  const received = (await Promise.all(lists)).flat().map(({ requestId }) => requestId);
  const { rows } = await server.database.query<{ id: string; outcome: string }>(
    // Web searches go to another service.
    `select id, outcome from gateway_calls where purpose <> 'web-search'`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const withoutCall = ['aborted', 'lost', 'refused', 'unsent'];
  return {
    unknown: received.filter((id) => !known.has(id)),
    unseen: rows
      .filter(({ id, outcome }) => !withoutCall.includes(outcome) && !received.includes(id))
      .map(({ id }) => id),
  };
}

/**
 * Checks at the end of a file that all invariants hold, both sides know the same calls, and the process has not failed.
 */
export async function expectConsistent(server: TestServer): Promise<void> {
  await waitUntilIdle(server);
  expect(await audit(server)).toEqual([]);
  expect(await unmatchedCalls(server)).toEqual({ unknown: [], unseen: [] });
  expect([server.process.exitCode, server.process.signalCode]).toEqual([null, null]);
  const lines = server.output().split('\n');
  const failures = /uncaught exception|unhandled rejection/;
  expect(lines.filter((line) => failures.test(line))).toEqual([]);
}
