import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { cpuSeconds, memoryMb, quantile, round } from './process.ts';
import { readStream, type StreamResult } from './stream-client.ts';

export interface Target {
  name: string;
  pid: number;
  /** PostgreSQL processes that serve it now. */
  databasePids(): Promise<number[]>;
  /** Returns a request for a stream with this text, as person number `nth`. */
  request(text: string, nth: number): { url: string; headers: Record<string, string>; body: string };
  /** Waits until no run is open, title runs included. */
  settled(): Promise<void>;
}

/** Our server as a target; each stream is a new chat, and the people take turns. */
export function siteTarget(server: TestServer, people: Person[]): Target {
  return {
    name: 'this server',
    pid: server.process.pid ?? 0,
    async databasePids() {
      const { rows } = await server.database.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
      );
      return rows.map((row) => row.pid);
    },
    request(text, nth) {
      const person = people[nth % people.length];
      return {
        url: `${server.url}/api/chats/${randomUUID()}/messages`,
        headers: { cookie: person?.cookie ?? '', origin: server.url, 'idempotency-key': randomUUID() },
        body: JSON.stringify({ text, create: true }),
      };
    },
    async settled() {
      await eventually(async () => {
        const { rows } = await server.database.query(
          'select 1 from generations where finished_at is null limit 1',
        );
        return rows.length === 0;
      }, 30_000);
    },
  };
}

/** The bare server as a target. */
export function bareTarget(url: string, pid: number): Target {
  return {
    name: 'bare Node',
    pid,
    databasePids: async () => [],
    request: (text) => ({ url, headers: {}, body: JSON.stringify({ text }) }),
    settled: async () => undefined,
  };
}

/**
 * Measures the time to the first token with a gateway that answers immediately: single streams, then bursts. The first
 * burst meets cold code and new database connections.
 */
export async function firstToken(target: Target, { alone, together }: { alone: number; together: number }) {
  const text = (tokens: number) => `hello [[answer:lorem]] [[tokens:${tokens}]] [[tps:10]] [[first:0]]`;
  const single: number[] = [];
  for (let i = 0; i < alone + 5; i++) {
    const { firstMs } = await readStream(target.request(text(2), i));
    if (i >= 5) single.push(firstMs);
  }
  const burst = async () => {
    await target.settled();
    const many = await Promise.all(
      Array.from({ length: together }, (_, i) => readStream(target.request(text(20), i))),
    );
    return many.map(({ firstMs }) => firstMs);
  };
  const first = await burst();
  const later = [...(await burst()), ...(await burst()), ...(await burst())];
  return {
    target: target.name,
    'alone, median ms': round(quantile(single, 0.5)),
    'alone, p95 ms': round(quantile(single, 0.95)),
    [`first burst of ${together}, median ms`]: round(quantile(first, 0.5)),
    'later bursts, median ms': round(quantile(later, 0.5)),
    'later bursts, p95 ms': round(quantile(later, 0.95)),
  };
}

/** Measures the time to the first token of streams that start evenly spread over `seconds`. */
export async function spreadStreams(
  target: Target,
  { streams, seconds }: { streams: number; seconds: number },
) {
  await target.settled();
  const text = 'hello [[answer:lorem]] [[tokens:100]] [[tps:20]] [[first:0]]';
  const results = await Promise.all(
    Array.from({ length: streams }, async (_, i) => {
      await setTimeout((i * seconds * 1000) / streams);
      return readStream(target.request(text, i));
    }),
  );
  const first = results.map(({ firstMs }) => firstMs);
  return {
    target: target.name,
    'median ms': round(quantile(first, 0.5)),
    'p95 ms': round(quantile(first, 0.95)),
  };
}

/** Measures many simultaneous streams at a fixed pace: whether they are complete, token delays, and CPU. */
export async function manyStreams(
  target: Target,
  { streams, tokensPerSecond, seconds }: { streams: number; tokensPerSecond: number; seconds: number },
) {
  const tokens = tokensPerSecond * seconds;
  const text = `load [[answer:lorem]] [[tokens:${tokens}]] [[tps:${tokensPerSecond}]] [[first:0]]`;
  const pace = { tokensPerSecond, tokenLength: 6 };
  const database = await target.databasePids();
  const cpuUsed = () =>
    [cpuSeconds(target.pid), database.reduce((sum, pid) => sum + cpuSeconds(pid), 0)] as const;
  const before = cpuUsed();
  const results = await Promise.all(
    Array.from({ length: streams }, (_, i) => readStream({ ...target.request(text, i), pace })),
  );
  const after = cpuUsed();
  const [cpu, databaseCpu] = [after[0] - before[0], after[1] - before[1]];
  const fullText = expected(results);
  const received = results.reduce((sum, { text: got }) => sum + got.length / 6, 0);
  const delays = results.flatMap((result) => result.delays);
  return {
    target: target.name,
    complete: `${results.filter((result) => result.complete && result.text === fullText).length} of ${streams}`,
    'tokens lost': round(streams * tokens - received, 0),
    'delay p50 ms': round(quantile(delays, 0.5)),
    'delay p99 ms': round(quantile(delays, 0.99)),
    'RSS after, peak MB': Object.values(memoryMb(target.pid)).join(', '),
    'CPU ms per 1,000 tokens': round((cpu * 1000) / ((streams * tokens) / 1000)),
    database: round((databaseCpu * 1000) / ((streams * tokens) / 1000)),
  };
}

/** Returns the text that all streams should have: the longest one received. */
function expected(results: StreamResult[]): string {
  return results.reduce((best, { text }) => (text.length > best.length ? text : best), '');
}
