import { expect } from 'vitest';
import { runJob } from './files.ts';
import { eventually, runEntry, runningOn, type TestServer } from './server.ts';

/** What `npm run audit` says of a server's database: its exit code, and the ids of the violated invariants. */
export async function auditCommand(
  server: Pick<TestServer, 'databaseUrl' | 'dataDir'>,
): Promise<{ code: number | null; violated: string[] }> {
  const { code, output } = await runEntry('audit', server);
  if (!/^\{\n.*\n\}\n$/s.test(output)) throw new Error(`The audit did not say JSON alone:\n${output}`);
  const { violated } = JSON.parse(output) as { violated: Array<{ id: string }> };
  return { code, violated: violated.map(({ id }) => id) };
}

const VIOLATED = /^.*"an invariant is violated".*$/gm;

/** Waits until all that a server has logged so far is read: it comes through a pipe, later than what the database says. */
async function read(server: TestServer): Promise<void> {
  if (server.process.exitCode !== null || server.process.signalCode !== null) return;
  const path = `/api/${crypto.randomUUID()}`;
  await fetch(`${server.url}${path}`);
  await eventually(async () => server.output().includes(path));
}

/** Runs the audit of each night (or `audit`, of each hour) now, in the server itself. @returns the ids of the violated invariants. */
export async function audit(
  server: TestServer,
  job: 'audit' | 'audit-whole' = 'audit-whole',
): Promise<string[]> {
  // Whichever process on the database is free takes the job.
  const told = () => runningOn(server).flatMap((each) => each.output().match(VIOLATED) ?? []);
  // A server that has just started makes its queues after its first line.
  await eventually(
    async () => (await server.database.query('select 1 from jobs.queue where name = $1', [job])).rowCount,
  );
  const before = told().length;
  await runJob(server, job);
  await Promise.all(runningOn(server).map(read));
  return told()
    .slice(before)
    .map((line) => (JSON.parse(line) as { invariant: string }).invariant);
}

/** Waits until no run is open, titles included. */
export async function quiet(server: TestServer): Promise<void> {
  await eventually(async () => {
    const { rows } = await server.database.query<{ open: number }>(
      `select count(*)::int as open from generations where finished_at is null`,
    );
    return rows[0]?.open === 0;
  });
}

/**
 * I17: calls that the gateway stand-in got and no row knows, and rows of calls that it never got. A call whose run was
 * stopped or lost before it left, or that found no gateway, is a row alone.
 */
async function unmatchedCalls(server: TestServer): Promise<{ unknown: string[]; unseen: string[] }> {
  const lists = ['chat/completions', 'images', 'images/generations', 'audio/transcriptions'].map(
    async (path) => {
      const response = await fetch(`${server.standins}/log?path=/gateway/v1/${path}`);
      return (await response.json()) as Array<{ requestId: string }>;
    },
  );
  const seen = (await Promise.all(lists)).flat().map(({ requestId }) => requestId);
  const { rows } = await server.database.query<{ id: string; outcome: string }>(
    // A search of the web is asked of another service.
    `select id, outcome from gateway_calls where purpose <> 'web-search'`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const alone = ['aborted', 'lost', 'refused', 'unsent'];
  return {
    unknown: seen.filter((id) => !known.has(id)),
    unseen: rows
      .filter(({ id, outcome }) => !alone.includes(outcome) && !seen.includes(id))
      .map(({ id }) => id),
  };
}

/** At the end of a file: every invariant holds, both sides know the same calls, and the process never faltered. */
export async function expectSound(server: TestServer): Promise<void> {
  await quiet(server);
  expect(await audit(server)).toEqual([]);
  expect(await unmatchedCalls(server)).toEqual({ unknown: [], unseen: [] });
  expect([server.process.exitCode, server.process.signalCode]).toEqual([null, null]);
  const lines = server.output().split('\n');
  const faults = /uncaught exception|unhandled rejection/;
  expect(lines.filter((line) => faults.test(line))).toEqual([]);
}
