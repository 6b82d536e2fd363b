import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.server.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import {
  follow,
  gatewayLog,
  listen,
  openChat,
  send,
  startedReply,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { auditCommand, expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { pngFile } from '../support/picked-files.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';

let standIns: RunningStandIns;
let dataDir: string;
/** Data folder of the embedded PostgreSQL. */
let cluster: string;
let server: TestServer;
const start = () =>
  startTestServer({ postgres: inject('postgres'), embedded: true, dataDir, standins: standIns.base });
const file = () => join(dataDir, 'server.json');
const instance = () => JSON.parse(readFileSync(file(), 'utf8')) as { pid: number; url: string };

beforeAll(async () => {
  standIns = await spawnStandIns();
  dataDir = await mkdtemp(join(tmpdir(), 'site-embedded-'));
  await chmod(dataDir, 0o755);
  server = await start();
  const attached = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  await attached.stopIfUnused();
  cluster = attached.dataFolder;
});
afterAll(async () => {
  await server.stop();
  await standIns.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Process id of this DATA_DIR's PostgreSQL, from the first line of its postmaster.pid. */
const postmaster = () => Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a second server on the same DATA_DIR', () => {
  it('reports where the first one runs, and exits', async () => {
    const { code, output } = await runEntry('main', server);
    expect(output).toContain(`Already running at ${instance().url} (process ${server.process.pid}).`);
    expect(code).toBe(0);
  });

  it.runIf(soak)('is refused by the database if the file of the first one is missing', async () => {
    const content = readFileSync(file(), 'utf8');
    rmSync(file());
    const { code, output } = await runEntry('main', server);
    writeFileSync(file(), content);
    expect(output).toContain(`Another server is already using ${dataDir}.`);
    expect(code).toBe(1);
    const person = await createPerson(server);
    const sent = await send(person, `${uniqueWord()} [[tps:0]]`);
    expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({ state: 'done' });
  });
});

describe('the audit', () => {
  it.runIf(soak)('connects to the running database, and reports a falsified balance', async () => {
    expect(await auditCommand(server)).toEqual({ code: 0, violated: [] });
    const person = await createPerson(server);
    await server.database.query('update users set credits = 1000 where id = $1', [person.id]);
    expect(await auditCommand(server)).toEqual({ code: 1, violated: ['I1'] });
    await server.database.query('update users set credits = 10 where id = $1', [person.id]);
    expect(await auditCommand(server)).toEqual({ code: 0, violated: [] });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
});

describe('kill -9', () => {
  async function startReply(person: Person, word: string) {
    const reader = listen(await stream(person, `${word} [[answer:lorem]] [[tokens:2000]] [[tps:50]]`));
    await eventually(async () => textOf(reader.events).length > 900);
    return reader;
  }

  it('of the server leaves the reply interrupted after the next start, with its text so far and the credit returned', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const reader = await startReply(person, word);
    const database = postmaster();
    await server.kill();
    await reader.finished;
    expect(isAlive(database)).toBe(true);
    const call = await eventually(async () => {
      const [found] = await gatewayLog(server, word);
      return found?.clientClosedAt ? found : null;
    });
    await server.database.end();
    server = await start();
    const restarted = personAt(server, person);
    const { generation, chat } = startedReply(reader.events);
    const startedAt = Date.now();
    const view = await waitForEnd(restarted, generation.id);
    // Recovery does not wait until the old lease expires.
    expectWithin(Date.now() - startedAt, 2_000);
    expect(view).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
    expect(call.sentText.startsWith(view.text)).toBe(true);
    const aSecond = (50 * call.sentText.length) / call.tokensSent;
    expectWithin(call.sentText.length - view.text.length, aSecond + 1, 'characters');
    expect((await openChat(restarted, chat.id)).messages[1]).toMatchObject({
      state: 'interrupted',
      content: view.text,
    });
    const me = (await (await restarted.get('/api/me')).json()) as { credits: number };
    expect(me.credits).toBe(10);
    const rest = await follow(restarted, generation.id, { at: reader.events.findLast(({ id }) => id)?.id });
    expect(textOf(rest, textOf(reader.events))).toBe(view.text);
  });

  it.runIf(soak)('of the database does not affect a running reply', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const reader = listen(await stream(person, `${word} [[answer:lorem]] [[tokens:200]] [[tps:60]]`));
    await eventually(async () => textOf(reader.events).length > 100);
    const before = postmaster();
    process.kill(before, 'SIGKILL');
    await reader.finished;
    await eventually(async () => postmaster() !== before);
    const { generation } = startedReply(reader.events);
    const view = await waitForEnd(person, generation.id);
    expect(view).toMatchObject({ state: 'done', creditsCharged: 1 });
    const [call] = await gatewayLog(server, word);
    expect(view.text).toBe(call?.sentText);
    expect(textOf(reader.events)).toBe(view.text);
    expect(await person.credits()).toBe(9);
  });
});

it('every invariant holds', () => expectConsistent(server));

it.runIf(soak)(
  'the server stops with its database, and starts even if another process has the old process id',
  async () => {
    const database = postmaster();
    const url = instance().url;
    expect(await server.end()).toBe(0);
    expect(isAlive(database)).toBe(false);
    await server.database.end();
    writeFileSync(file(), JSON.stringify({ pid: process.pid, born: '1', url }));
    // File modes as an earlier version or a restored copy may have left them.
    const older = join(dataDir, 'files/attachment/00/older');
    mkdirSync(dirname(older), { recursive: true, mode: 0o755 });
    writeFileSync(older, 'text', { mode: 0o644 });
    await chmod(dataDir, 0o755);
    server = await start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(readFileSync(older, 'utf8')).toBe('text');
    const person = await createPerson(server);
    const { buffer } = await pngFile();
    expect((await upload(server, person, buffer)).status).toBe(201);
    const entries = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    const stored = entries.filter((name) => /^files\/attachment\/..\/./.test(name));
    expect(stored.length).toBeGreaterThan(1);
    const accessible = ['.', ...entries].filter(
      (name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0 && !name.startsWith('postgres/'),
    );
    // If the site runs as root, the database's account may enter DATA_DIR but not list it.
    const [dataFolder, ...rest] = accessible;
    expect(rest).toEqual([]);
    expect(statSync(dataDir).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o710 : 0o700);
    expect([undefined, '.']).toContain(dataFolder);
    const otherUser = { uid: 12_345, gid: 12_345, encoding: 'utf8' } as const;
    if (process.getuid?.() === 0) {
      for (const args of [
        ['ls', dataDir],
        ['cat', older],
        ['cat', file()],
      ] as const)
        expect(spawnSync(args[0], [args[1]], otherUser)).toMatchObject({
          stdout: '',
          stderr: expect.stringContaining('Permission denied'),
        });
    }
  },
);
