import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Config, setConfig } from '#platform/config/config.server.ts';
import { currentRelease, switchTo } from '../../scripts/lib/releases.mjs';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { listen, type SseEvent, stream, textOf, uniqueWord } from '../support/chat.ts';
import { client, createPeople, type Person } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { AUTH_SECRET, startTestServer, type TestServer } from '../support/server.ts';
import { type FrontProxy, freePort, proxies } from './proxies.ts';

const root = resolve(import.meta.dirname, '../..');
const REQUESTS = 10_000;
/** 600 tokens at 10 a second: the reply takes 60 s. */
const LONG = '[[answer:lorem]] [[tokens:600]] [[tps:10]] [[first:0]]';
const DRAIN_SECONDS = '90';
const nginx = proxies.find(({ name }) => name === 'nginx');
const suffix = nginx?.missing ? ' (nginx or openssl is not installed)' : '';

/** Makes two builds in one folder; the newer one has an additional migration and file. */
function makeBuilds(): string {
  const project = mkdtempSync(join(tmpdir(), 'site-upgrade-'));
  for (const name of [
    'package.json',
    'package-lock.json',
    'node_modules',
    'standins',
    'content',
    'migrations',
  ])
    symlinkSync(join(root, name), join(project, name));
  cpSync(join(root, 'scripts'), join(project, 'scripts'), { recursive: true });
  const built = realpathSync(join(root, 'build/current'));
  for (const id of ['old', 'new']) cpSync(built, join(project, 'build/releases', id), { recursive: true });
  const newer = join(project, 'build/releases/new');
  writeFileSync(join(newer, 'client/assets/of-the-new-build.js'), 'export default 1;');
  writeFileSync(
    join(newer, 'migrations/9001-wider.sql'),
    'alter table users add column of_the_new_build text;\n',
  );
  mkdirSync(join(project, '.cache'));
  return project;
}

describe.skipIf(nginx?.missing)(`two processes behind nginx${suffix}`, () => {
  let project: string;
  let standIns: RunningStandIns;
  let proxy: FrontProxy;
  let processes: TestServer[];
  let start: (port: number) => Promise<TestServer>;
  let ports: number[];
  let people: Person[];
  beforeAll(async () => {
    project = makeBuilds();
    switchTo(join(project, 'build'), 'old');
    standIns = await spawnStandIns();
    const postgres = inject('postgres');
    const databaseUrl = await makeDatabase(postgres);
    const dataDir = mkdtempSync(join(tmpdir(), 'site-data-'));
    const port = await freePort();
    ports = [await freePort(), await freePort()];
    start = (processPort) =>
      startTestServer({
        postgres,
        databaseUrl,
        dataDir,
        standins: standIns.base,
        build: join(project, 'build/current/server'),
        env: {
          PORT: String(processPort),
          PUBLIC_URL: `https://localhost:${port}`,
          TRUSTED_PROXIES: '127.0.0.1',
          DRAIN_SECONDS,
          LOG_LEVEL: 'warn',
        },
      });
    processes = [];
    for (const processPort of ports) processes.push(await start(processPort));
    proxy = await (nginx as (typeof proxies)[number]).start({ port, processes: ports });
    setConfig({ authSecret: AUTH_SECRET, secure: true } as Config);
    const created = await createPeople(processes[0] as TestServer, 60, { plan: 'pro', credits: 100 });
    people = created.map((person) => ({ ...person, ...client(proxy, person.cookie) }));
  });
  afterAll(async () => {
    await proxy?.stop();
    for (const server of processes ?? []) await server.stop();
    await standIns?.remove();
    if (project) rmSync(project, { recursive: true, force: true });
  });

  /** Replaces the processes one by one with the current build, each once the previous one responds. */
  async function replaceAll(): Promise<void> {
    for (const [at, server] of processes.entries()) {
      expect(await server.end()).toBe(0);
      processes[at] = await start(ports[at] as number);
    }
  }

  /** Sends requests for several visitors concurrently, until stopped and at least `atLeast`. */
  function load(atLeast: number) {
    const failures: string[] = [];
    const counts = { requests: 0, chats: 0 };
    let stopped = false;
    const sendRequest = async (person: Person) => {
      const turn = counts.requests++ % 20;
      const paths = ['/', '/pricing', '/api/me', '/api/chats', '/blog', '/readyz', '/chat', '/de'];
      const path = turn === 19 ? '/api/chats' : (paths[turn % paths.length] as string);
      const isPost = turn === 19;
      try {
        const response = await (isPost ? person.send('POST', path, {}) : person.get(path));
        await response.arrayBuffer();
        if (response.status >= 400) failures.push(`${isPost ? 'POST' : 'GET'} ${path}: ${response.status}`);
        else if (isPost) counts.chats++;
      } catch (error) {
        failures.push(`${path}: ${(error as Error).cause ?? error}`);
      }
    };
    const visitors = people.slice(0, 20).map(async (person) => {
      while (!stopped || counts.requests < atLeast) await sendRequest(person);
    });
    return {
      async end() {
        stopped = true;
        await Promise.all(visitors);
        return { ...counts, failures };
      },
    };
  }

  const replies: Array<{ word: string; reader: { events: SseEvent[]; finished: Promise<unknown> } }> = [];
  /** Starts replies of a minute for `count` people, before a process is stopped. */
  async function startReplies(from: number, count: number): Promise<void> {
    for (const person of people.slice(from, from + count)) {
      const word = uniqueWord();
      replies.push({ word, reader: listen(await stream(person, `${word} ${LONG}`)) });
    }
  }

  async function upgradeDuring(change: () => void, from: number) {
    const startedAt = Date.now();
    const visitors = load(REQUESTS / 2);
    await startReplies(from, 20);
    change();
    await replaceAll();
    return { ...(await visitors.end()), seconds: Math.round((Date.now() - startedAt) / 1000) };
  }

  /** Returns the word and last event of each reply that did not end complete. */
  async function interruptedReplies(): Promise<string[]> {
    await Promise.all(replies.map(({ reader }) => reader.finished));
    return replies
      .filter(({ reader }) => {
        const end = reader.events.at(-1);
        return end?.event !== 'end' || end.data.state !== 'done' || !textOf(reader.events).includes('w0600');
      })
      .map(({ word, reader }) => `${word}: ${JSON.stringify(reader.events.at(-1))}`);
  }

  it('change to a new build and its schema without a failed request or reply', async () => {
    const result = await upgradeDuring(() => switchTo(join(project, 'build'), 'new'), 20);
    console.log('to the new build:', JSON.stringify({ ...result, replies: replies.length }));
    expect(result.failures).toEqual([]);
    expect(await interruptedReplies()).toEqual([]);
    const { rows } = await processes[0]!.database.query(
      'select max(version) as newest from schema_migrations',
    );
    expect(rows).toEqual([{ newest: 9001 }]);
    for (let count = 0; count < 4; count++)
      expect((await fetch(`${proxy.url}/assets/of-the-new-build.js`)).status).toBe(200);
  });

  it('go back to the previous build by npm run rollback, on the newer schema', async () => {
    const { databaseUrl, dataDir } = processes[0] as TestServer;
    const rollBack = () =>
      execFileSync(process.execPath, [join(project, 'scripts/rollback.mjs')], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, AUTH_SECRET, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
      });
    const result = await upgradeDuring(() => {
      expect(rollBack()).toBe('Rolled back: the next start uses the previous build, old.\n');
    }, 40);
    console.log('back again:', JSON.stringify({ ...result, replies: replies.length }));
    expect(currentRelease(join(project, 'build'))).toBe('old');
    expect(result.failures).toEqual([]);
    expect(await interruptedReplies()).toEqual([]);
    expect(rollBack).toThrow('There is no earlier build to roll back to');
  });

  it('have completed every request exactly once', async () => {
    const { rows } = await processes[0]!.database.query<{ state: string; count: number }>(
      `select state, count(*)::int as count from generations where feature = 'chat' group by state`,
    );
    expect(rows).toEqual([{ state: 'done', count: replies.length }]);
  });
});
