import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { cpuSeconds, quantile, round } from './process.ts';
import { readStream } from './stream-client.ts';

/** Processes that notify each other of their runs. */
const PROCESSES = 4;
const TICK_MS = 10;

interface Load {
  /** Runs named in a notification, at most 200 (`notify` of the engine). */
  runs: number;
  /** Notifications per second of all processes together; without it, each process sends as fast as it can. */
  rate?: number;
  seconds?: number;
}

async function openSession(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'notify-load',
    options: '-c synchronous_commit=off',
  });
  await client.connect();
  return client;
}

/** Measures NOTIFY between processes that all listen, as ours do: throughput, delay and CPU. */
export async function notifications(databaseUrl: string, { runs, rate, seconds = 5 }: Load) {
  const listeners = await Promise.all(Array.from({ length: PROCESSES }, () => openSession(databaseUrl)));
  const senders = await Promise.all(Array.from({ length: PROCESSES }, () => openSession(databaseUrl)));
  const delays: number[] = [];
  for (const listener of listeners) {
    listener.on('notification', ({ payload = '' }) =>
      delays.push(performance.now() - Number(payload.slice(0, payload.indexOf(':')))),
    );
    await listener.query('listen load');
  }
  const { rows } = await senders[0]!.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'notify-load'`,
  );
  const databaseCpu = () => rows.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const ids = Array.from({ length: runs }, () => randomUUID()).join(',');
  let sent = 0;
  const send = async (sender: pg.Client) => {
    sent++;
    await sender.query({
      name: 'notify',
      text: 'select pg_notify($1, $2)',
      values: ['load', `${performance.now()}:${ids}`],
    });
  };
  const before = { database: databaseCpu(), own: process.cpuUsage() };
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  const due = () => (rate === undefined ? Infinity : ((performance.now() - startedAt) * rate) / 1_000);
  await Promise.all(
    senders.map(async (sender) => {
      while (performance.now() < endAt) {
        if (sent < due()) await send(sender);
        else await pause(TICK_MS);
      }
    }),
  );
  const tookMs = performance.now() - startedAt;
  while (delays.length < sent * PROCESSES) await pause(TICK_MS);
  const allMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before.own);
  const cores = (databaseCpu() - before.database) / (allMs / 1_000);
  for (const client of [...listeners, ...senders]) await client.end();
  return {
    'runs each': runs,
    'asked a second': rate ?? 'all',
    'sent a second': round((sent * 1_000) / tookMs, 0),
    'heard a second': round((delays.length * 1_000) / allMs, 0),
    'delay p50 ms': round(quantile(delays, 0.5)),
    'delay p99 ms': round(quantile(delays, 0.99)),
    'database, cores': round(cores, 2),
    'this client, cores': round((user + system) / 1_000 / allMs, 2),
  };
}

/** Measures streams that run in one process and are all read in another. */
export async function readAcrossProcesses(
  [writer, reader]: readonly [TestServer, TestServer],
  people: Person[],
  { streams, tokensPerSecond, seconds }: { streams: number; tokensPerSecond: number; seconds: number },
) {
  const tokens = tokensPerSecond * seconds;
  const text = `elsewhere [[answer:lorem]] [[tokens:${tokens}]] [[tps:${tokensPerSecond}]] [[first:0]]`;
  const pids = async () => {
    const { rows } = await writer.database.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
    );
    return rows.map(({ pid }) => pid);
  };
  const database = await pids();
  const cpuUsed = () => ({
    writer: cpuSeconds(writer.process.pid ?? 0),
    reader: cpuSeconds(reader.process.pid ?? 0),
    database: database.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
  });
  const before = cpuUsed();
  const startedAt = performance.now();
  const results = await Promise.all(
    people.slice(0, streams).map(async (person) => {
      const started = await person.send(
        'POST',
        `/api/chats/${randomUUID()}/messages`,
        { text, create: true },
        { 'idempotency-key': randomUUID() },
      );
      const { generation } = (await started.json()) as { generation: { id: string } };
      return readStream({
        url: `${reader.url}/api/generations/${generation.id}/events`,
        headers: { cookie: person.cookie },
        pace: { tokensPerSecond, tokenLength: 6 },
      });
    }),
  );
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const after = cpuUsed();
  const cores = (name: keyof typeof after) => round((after[name] - before[name]) / tookSeconds, 2);
  const delays = results.flatMap((result) => result.delays);
  return {
    streams,
    'tokens/s each': tokensPerSecond,
    complete: `${results.filter(({ complete, text: got }) => complete && got.length >= tokens * 6 - 1).length} of ${streams}`,
    'updates a second': round(delays.length / tookSeconds, 0),
    'delay p50 ms': round(quantile(delays, 0.5)),
    'delay p99 ms': round(quantile(delays, 0.99)),
    'writer, cores': cores('writer'),
    'reader, cores': cores('reader'),
    'database, cores': cores('database'),
  };
}

/** Measures rates from that of a million people's busiest hour (docs/scale.md) to the maximum. */
export async function notifyFigures(databaseUrl: string) {
  const rows: Array<Awaited<ReturnType<typeof notifications>>> = [];
  const loads: Load[] = [
    { runs: 50, rate: 10 },
    { runs: 50, rate: 100 },
    { runs: 200, rate: 100 },
    { runs: 200, rate: 1_000 },
    { runs: 1, rate: 1_000 },
    { runs: 200 },
    { runs: 1 },
  ];
  for (const load of loads) rows.push(await notifications(databaseUrl, load));
  return rows;
}
