import { expect } from 'vitest';
import { eventually, runEntry, type TestServer } from './server.ts';

export interface Audit {
  code: number | null;
  ok: boolean;
  checked: number;
  /** Ids of the violated invariants. */
  violated: string[];
}

/** What `npm run audit` says of a server's database. */
export async function audit(server: Pick<TestServer, 'databaseUrl' | 'dataDir'>): Promise<Audit> {
  const { code, output } = await runEntry('audit', server);
  if (!/^\{\n.*\n\}\n$/s.test(output)) throw new Error(`The audit did not say JSON alone:\n${output}`);
  const report = JSON.parse(output) as { ok: boolean; checked: number; violated: Array<{ id: string }> };
  return { ...report, code, violated: report.violated.map(({ id }) => id) };
}

/** Waits until no run is open, titles included. */
export async function quiet(server: TestServer, ms = 15_000): Promise<void> {
  await eventually(async () => {
    const { rows } = await server.database.query<{ open: number }>(
      `select count(*)::int as open from generations where finished_at is null`,
    );
    return rows[0]?.open === 0;
  }, ms);
}

/**
 * I17: calls that the gateway stand-in got and no row knows, and rows of calls that it never got. A call whose run was
 * stopped or lost before it left, or that found no gateway, is a row alone.
 */
async function unmatchedCalls(server: TestServer): Promise<{ unknown: string[]; unseen: string[] }> {
  const lists = ['chat/completions', 'images', 'images/generations'].map(async (path) => {
    const response = await fetch(`${server.standins}/log?path=/gateway/v1/${path}`);
    return (await response.json()) as Array<{ requestId: string }>;
  });
  const seen = (await Promise.all(lists)).flat().map(({ requestId }) => requestId);
  const { rows } = await server.database.query<{ id: string; outcome: string }>(
    'select id, outcome from gateway_calls',
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
  expect(await audit(server)).toMatchObject({ code: 0, ok: true, violated: [] });
  expect(await unmatchedCalls(server)).toEqual({ unknown: [], unseen: [] });
  expect([server.process.exitCode, server.process.signalCode]).toEqual([null, null]);
  const lines = server.output().split('\n');
  const faults = /uncaught exception|unhandled rejection|an invariant is violated/;
  expect(lines.filter((line) => faults.test(line))).toEqual([]);
}
