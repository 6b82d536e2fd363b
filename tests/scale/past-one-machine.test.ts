import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Attachment } from '#features/chat/contract.ts';
import { isRunning } from '#features/generations/contract.ts';
import type { ImageJob, StartedImages } from '#features/images/contract.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { hasProgram } from '../deploy/machine.ts';
import { quantile } from '../load/process.ts';
import { expectConsistent } from '../support/consistency.ts';
import { bytesOf, quick } from '../support/images.ts';
import { createPeople, createPerson, type Person } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { freePort } from '../support/raw.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { type Balancer, startBalancer } from './haproxy.ts';
import { type ObjectStore, startObjectStore } from './rados-gateway.ts';
import { type Audience, startReading } from './readers.ts';

/** The full test by default; set both lower for a trial run. */
const STREAMS = Number(process.env.SCALE_STREAMS ?? 2_000);
const SECONDS = Number(process.env.SCALE_SECONDS ?? 300);
/** Tokens a second of each stream: what two cores can serve that also run the databases, gateway, readers and balancer. */
const RATE = Number(process.env.SCALE_RATE ?? 1);

const PROCESSES = 4;
const KILL_EVERY_MS = 20_000;
const REPLY_SECONDS = 60;
/** The longest time from the death of a process to the end of each of its runs. */
const CLOSED_MS = 15_000;

const programs = ['haproxy', 'ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'];
const missing = programs.filter((name) => !hasProgram(name));
if (missing.length > 0)
  throw new Error(`Not installed: ${missing.join(', ')}. Debian has haproxy, ceph-mon, ceph-osd, radosgw.`);

interface Death {
  /** Owner of its lease. */
  owner: string;
  at: Date;
}

let store: ObjectStore;
let standIns: RunningStandIns;
let balancer: Balancer;
let processes: TestServer[];
let ports: number[];
let folders: string[];
let start: (index: number) => Promise<TestServer>;
let people: Person[];
let artist: Person;
let photo: Buffer;

beforeAll(async () => {
  store = await startObjectStore('site-files');
  standIns = await spawnStandIns();
  const postgres = inject('postgres');
  const databaseUrl = await makeDatabase(postgres);
  const port = await freePort();
  ports = [];
  for (let count = 0; count < PROCESSES; count++) ports.push(await freePort());
  // The processes share no folder.
  folders = ports.map(() => mkdtempSync(join(tmpdir(), 'site-data-')));
  start = async (index) => {
    const server = await startTestServer({
      postgres,
      databaseUrl,
      dataDir: folders[index] ?? '',
      standins: standIns.base,
      env: {
        ...store.env,
        PORT: String(ports[index]),
        PUBLIC_URL: `http://localhost:${port}`,
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'info',
      },
    });
    // The server prints the balancer's address; tests also need its own.
    return Object.assign(server, { url: `http://127.0.0.1:${ports[index]}` });
  };
  processes = await Promise.all(ports.map((_, index) => start(index)));
  balancer = await startBalancer(port, ports);
  people = await createPeople(processes[0] as TestServer, STREAMS, { credits: 1_000 });
  photo = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#246' } })
    .png()
    .toBuffer();
  artist = await createPerson(processes[0] as TestServer, { plan: 'pro' });
});
afterAll(async () => {
  await balancer?.stop();
  for (const server of processes ?? []) await server.stop();
  await standIns?.remove();
  await store?.stop();
  for (const folder of folders ?? []) rmSync(folder, { recursive: true, force: true });
});

const database = () => (processes[0] as TestServer).database;

/** Sends the person's requests to one process, bypassing the balancer. */
function atProcess(process: number, { cookie }: Person): Pick<Person, 'get' | 'send'> {
  const base = processes[process]?.url ?? '';
  const headers = { cookie, origin: balancer.url };
  return {
    get: (path, extraHeaders) => fetch(base + path, { headers: { ...headers, ...extraHeaders } }),
    send: (method, path, body, extraHeaders) =>
      fetch(base + path, {
        method,
        headers: { ...headers, 'content-type': 'application/json', ...extraHeaders },
        body: JSON.stringify(body),
      }),
  };
}

/** Repeats a request until the process is ready: while it starts or is overloaded it answers 503. */
const whenReady = (ask: () => Promise<Response>): Promise<Response> =>
  eventually(async () => {
    const response = await ask();
    return response.status !== 503 && response;
  });

/** Stores a file and a picture through one process and reads them from all others. @returns the differences */
async function checkFiles(from: number): Promise<string[]> {
  const others = ports.flatMap((_, each) => (each === from ? [] : [each]));
  const origin = atProcess(from, artist);
  const added = await whenReady(() =>
    fetch(`${processes[from]?.url}/api/files?name=harbour.png`, {
      method: 'POST',
      headers: { cookie: artist.cookie, origin: balancer.url, 'content-type': 'image/png' },
      body: new Uint8Array(photo),
    }),
  );
  if (added.status !== 201) return [`${added.status} ${await added.text()}`];
  const { id } = (await added.json()) as Attachment;
  const read = (person: Pick<Person, 'get'>) => whenReady(() => person.get(`/api/files/${id}`));
  const sent = Buffer.from(await (await read(origin)).arrayBuffer());
  const key = { 'idempotency-key': crypto.randomUUID() };
  const request = { prompt: `A harbour ${quick}`, size: '512x512', count: 1 };
  const started = await whenReady(() => origin.send('POST', '/api/images', request, key));
  const { generation } = (await started.json()) as StartedImages;
  const job = await eventually(async () => {
    const current = await whenReady(() => origin.get(`/api/images/${generation.id}`));
    const view = (await current.json()) as ImageJob;
    return !isRunning(view.state) && view;
  });
  const picture = job.pictures[0]?.id ?? '';
  const original = await eventually(() => bytesOf(origin, picture));
  const mismatches: string[] = [];
  for (const other of others) {
    const otherProcess = atProcess(other, artist);
    const file = await read(otherProcess);
    const received = Buffer.from(await file.arrayBuffer());
    if (file.status !== 200 || !received.equals(sent))
      mismatches.push(`file of ${from} at ${other}: ${file.status}, ${received.length} bytes`);
    const copy = await eventually(() => bytesOf(otherProcess, picture));
    if (!copy.equals(original)) mismatches.push(`picture of ${from} at ${other}`);
    filesRead += 2;
  }
  return mismatches;
}

/** Kills a process and starts it again. */
async function restartOne(index: number): Promise<Death> {
  const server = processes[index] as TestServer;
  const { rows } = await database().query<{ owner: string; at: Date }>(
    `select owner, clock_timestamp() as at from engine_leases where owner like $1`,
    [`${server.process.pid}-%`],
  );
  await server.kill();
  const death = rows[0];
  if (!death) throw new Error('A process without a lease was killed.');
  const fresh = await start(index);
  processes[index] = fresh;
  await server.stop();
  return death;
}

const deaths: Death[] = [];
const openRuns: number[] = [];
let audience: Audience;
const fileErrors: string[] = [];
let filesRead = 0;

it(`serve ${STREAMS} streams while one of ${PROCESSES} is killed every ${KILL_EVERY_MS / 1_000} s for ${SECONDS} s`, async () => {
  const rampMs = Math.min(KILL_EVERY_MS, STREAMS * 15);
  const tokens = RATE * REPLY_SECONDS;
  const text = `[[answer:lorem]] [[tokens:${tokens}]] [[tps:${RATE}]] [[first:0]]`;
  const reading = startReading(balancer.url, people, { text, rampMs });
  await pause(rampMs);
  const watch = setInterval(async () => {
    const { rows } = await database().query<{ open: number }>(
      `select count(*)::int as open from generations where finished_at is null and feature = 'chat'`,
    );
    openRuns.push(rows[0]?.open ?? 0);
  }, 2_000);
  const startedAt = performance.now();
  for (let turn = 0; turn < (SECONDS * 1_000) / KILL_EVERY_MS; turn++) {
    const next = performance.now() + KILL_EVERY_MS;
    deaths.push(await restartOne(turn % PROCESSES));
    fileErrors.push(...(await checkFiles((turn + 1) % PROCESSES).catch((error) => [String(error)])));
    // On a busy machine the restart takes longer.
    await pause(Math.max(0, next - performance.now()));
  }
  clearInterval(watch);
  const tookSeconds = Math.round((performance.now() - startedAt) / 1_000);
  audience = await reading.end();
  const { replies } = audience;
  console.log(
    JSON.stringify({
      streams: STREAMS,
      tokensPerSecond: RATE,
      seconds: tookSeconds,
      killed: deaths.length,
      atOnce: { median: quantile(openRuns, 0.5), most: Math.max(...openRuns) },
      replies: replies.length,
      whole: replies.filter(({ complete }) => complete).length,
      interrupted: replies.filter(({ end }) => end?.state === 'interrupted').length,
      resumed: replies.filter(({ breaks }) => breaks > 0).length,
      tokensShown: replies.reduce((sum, reply) => sum + Math.floor(reply.text.length / 6), 0),
      charactersTakenBack: replies.reduce((sum, reply) => sum + reply.takenBack, 0),
      repliesWithTextTakenBack: replies.filter(({ takenBack }) => takenBack > 0).length,
    }),
  );
  expect(audience.refused).toEqual([]);
});

it('lose no shown text', async () => {
  const stored = new Map<string, { text: string; state: string }>();
  const { rows } = await database().query<{ id: string; text: string; state: string }>(
    `select id, text, state from generations where feature = 'chat'`,
  );
  for (const row of rows) stored.set(row.id, row);
  const mismatches = audience.replies.filter(({ run, text, end, takenBack }) => {
    const row = stored.get(run);
    return takenBack > 0 || row?.state !== end?.state || row?.text !== text;
  });
  expect(
    mismatches.map(({ run, text, takenBack }) => ({
      run,
      takenBack,
      shown: text.length,
      stored: stored.get(run)?.text.length,
    })),
  ).toEqual([]);
});

it('close every run of a process within 15 s after its death', async () => {
  const seconds: number[] = [];
  for (const { owner, at: died } of deaths) {
    const { rows } = await database().query<{ ms: number | null; open: number }>(
      `select max(extract(epoch from finished_at - $2::timestamptz) * 1000)::float8 as ms,
              count(*) filter (where finished_at is null)::int as open from generations where owner = $1`,
      [owner, died],
    );
    expect(rows[0]?.open).toBe(0);
    seconds.push((rows[0]?.ms ?? 0) / 1_000);
  }
  console.log('closed after, seconds:', seconds.map((each) => each.toFixed(1)).join(', '));
  expect(Math.max(...seconds) * 1_000).toBeLessThan(CLOSED_MS);
});

it('serve files uploaded to another process', () => {
  expect(fileErrors).toEqual([]);
  expect(filesRead).toBe(2 * deaths.length * (PROCESSES - 1));
});

it('charge for complete replies and for nothing else', async () => {
  const { rows } = await database().query(`
    select state, credits_charged as charged from generations
     where feature = 'chat' and (state = 'done') <> (credits_charged = 1) limit 5`);
  expect(rows).toEqual([]);
  const balances = await database().query(`
    select u.id from users u left join credit_ledger l on l.user_id = u.id
     group by u.id having u.credits <> coalesce(sum(l.delta), 0)
         or u.credits <> 1000 - (select count(*) from generations g where g.user_id = u.id and g.state = 'done' and g.feature = 'chat')
            and u.plan = 'free' limit 5`);
  expect(balances.rows).toEqual([]);
});

it('every invariant holds', async () => {
  await expectConsistent(processes[0] as TestServer);
});
