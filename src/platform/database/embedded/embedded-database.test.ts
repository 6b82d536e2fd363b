import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { soak } from '#tests/support/soak.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.server.ts';

let base: string;
const running = new Set<EmbeddedDatabase>();
const children = new Set<ChildProcess>();

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  await chmod(base, 0o755);
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  for (const database of running) await database.stop();
  running.clear();
});

afterAll(() => rm(base, { recursive: true, force: true }));

async function start(dataDir: string, log: string[] = []): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir, log: (line) => log.push(line) });
  running.add(database);
  return database;
}

async function query(database: Pick<EmbeddedDatabase, 'connection'>, sql: string) {
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function startInChild(dataDir: string): ChildProcess {
  const module = new URL('./embedded-database.server.ts', import.meta.url).href;
  const code = `import { startEmbeddedDatabase } from ${JSON.stringify(module)};
    const database = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
    console.log(JSON.stringify({ pid: database.pid() }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  return child;
}

async function waitFor<T>(probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
  return expect
    .poll(probe, { timeout: 30_000, interval: 5 })
    .not.toBeUndefined()
    .then(async () => (await probe()) as T);
}

/** A zombie counts as gone: where process 1 does not reap, an ended orphan stays listed. */
async function isAlive(pid: number): Promise<boolean> {
  const state = existsSync('/proc/self/stat')
    ? /\) (\S)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))?.[1]
    : await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).then(
        (listed) => listed.stdout.trim(),
        () => '',
      );
  return state !== undefined && state !== '' && !state.startsWith('Z');
}

describe('the embedded database', () => {
  it('is created on the first start, private and durable, and ends with stop', async () => {
    const dataDir = join(base, 'first');
    const database = await start(dataDir);
    const [row] = await query(
      database,
      `select current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync,
         current_setting('listen_addresses') as tcp, current_setting('server_encoding') as encoding,
         current_setting('max_connections') as connections, current_database() as name, current_user as role,
         (select rolsuper from pg_roles where rolname = current_user) as super,
         current_setting('data_checksums') as checksums, lower('ÄÉ') as lower`,
    );
    expect(row).toEqual({
      major: 18,
      fsync: 'on',
      tcp: '',
      encoding: 'UTF8',
      connections: '100',
      name: 'app',
      role: 'app',
      super: false,
      checksums: 'on',
      lower: 'äé',
    });
    expect(database.attached).toBe(false);
    expect((await stat(join(dataDir, 'secrets/postgres'))).mode & 0o777).toBe(0o600);
    expect((await stat(database.connection.host)).mode & 0o777).toBe(0o700);
    expect((await stat(database.dataFolder)).uid).not.toBe(0);
    await expect(
      query({ connection: { ...database.connection, password: 'wrong' } }, 'select 1'),
    ).rejects.toMatchObject({ code: '28P01' });
    const viaUrl = new pg.Client(database.url);
    await viaUrl.connect();
    await viaUrl.end();
    await database.stop();
    expect(await isAlive(database.pid())).toBe(false);
  });

  it.runIf(soak)(
    'can be attached to after its starter was killed, and keeps running while others use it',
    async () => {
      const dataDir = join(base, 'orphan');
      const child = startInChild(dataDir);
      const [line] = await once(createInterface({ input: child.stdout! }), 'line');
      child.kill('SIGKILL');
      await once(child, 'exit');

      const server = await start(dataDir);
      expect(server.attached).toBe(true);
      expect(server.pid()).toBe(JSON.parse(line).pid);
      await query(server, 'create table kept as select 7 as n');

      const command = await start(dataDir);
      expect(command.attached).toBe(true);
      expect(await command.stopIfUnused()).toBe(false);
      expect(await query(server, 'select n from kept')).toEqual([{ n: 7 }]);

      const visitor = new pg.Client(server.connection);
      visitor.on('error', () => undefined);
      await visitor.connect();
      expect(await server.stopIfUnused()).toBe(false);
      await visitor.end();
      const last = await start(dataDir);
      expect(await last.stopIfUnused()).toBe(true);
      expect(await isAlive(last.pid())).toBe(false);
    },
  );

  it('keeps every committed row after kill -9, and restarts at the same address', async () => {
    const dataDir = join(base, 'killed');
    const log: string[] = [];
    const database = await start(dataDir, log);
    await query(database, 'create table kept (n int)');
    await query(database, 'insert into kept select generate_series(1, 500)');
    const first = database.pid();
    process.kill(first, 'SIGKILL');
    await waitFor(() => (database.pid() === first ? undefined : true));
    expect(await isAlive(first)).toBe(false);
    expect(await query(database, 'select count(*)::int from kept')).toEqual([{ count: 500 }]);
    expect(log.join()).toContain('starting it again');
  });

  it('restarts if the stored password was lost', async () => {
    const dataDir = join(base, 'killed');
    // The starter must be gone: a living one would restart the server with the old password.
    const child = startInChild(dataDir);
    await once(createInterface({ input: child.stdout! }), 'line');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = await readFile(join(dataDir, 'secrets/postgres'), 'utf8');
    await rm(join(dataDir, 'secrets'), { recursive: true });
    const after = await start(dataDir);
    expect(after.connection.password).not.toBe(before.trim());
    expect(await query(after, 'select count(*)::int from kept')).toEqual([{ count: 500 }]);
  });

  it('starts despite a stale postmaster.pid with the pid of another process', async () => {
    const dataDir = join(base, 'killed');
    const database = await start(dataDir);
    await database.stop();
    const unrelated = spawn('sleep', ['60'], { stdio: 'ignore' });
    children.add(unrelated);
    const socket = database.connection.host;
    const stale = [unrelated.pid, database.dataFolder, 1_700_000_000, 5432, socket, '', '  1 1', 'ready', ''];
    await writeFile(join(database.dataFolder, 'postmaster.pid'), stale.join('\n'));
    const restarted = await start(dataDir);
    expect(restarted.attached).toBe(false);
    expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull();
  });

  it.runIf(soak)('survives kill -9 in the middle of its first start', async () => {
    const dataDir = join(base, 'cut');
    const child = startInChild(dataDir);
    const home = join(dataDir, 'postgres');
    // initdb creates the template databases late, so by now much is written but not everything.
    await waitFor(async () => {
      const names = await readdir(home).catch(() => []);
      const draft = names.find((name) => name.startsWith('init-'));
      if (draft === undefined) return undefined;
      return (await readdir(join(home, draft, 'data/base')).catch(() => [])).length > 0 ? true : undefined;
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const database = await start(dataDir);
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(home)).filter((name) => name.startsWith('init-'))).toEqual([]);
  });

  it.runIf(soak)('is created once when two processes start at the same time', async () => {
    const dataDir = join(base, 'race');
    const child = startInChild(dataDir);
    const [first, [line]] = await Promise.all([
      start(dataDir),
      once(createInterface({ input: child.stdout! }), 'line'),
    ]);
    expect(JSON.parse(line).pid).toBe(first.pid());
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.runIf(soak)('works in a folder whose path is too long for a socket', async () => {
    const dataDir = join(base, 'long'.repeat(30));
    const database = await start(dataDir);
    const socket = join(database.connection.host, '.s.PGSQL.5432');
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(103);
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.stop();
    await rm(database.connection.host, { recursive: true });
  });

  it('reports in one line that a folder cannot be used', async () => {
    await writeFile(join(base, 'file'), '');
    await expect(
      startEmbeddedDatabase({ dataDir: join(base, 'file/data'), log: () => undefined }),
    ).rejects.toThrow(/ENOTDIR|not a directory/);
    const old = join(base, 'old');
    await mkdir(join(old, 'postgres/17'), { recursive: true });
    await expect(startEmbeddedDatabase({ dataDir: old, log: () => undefined })).rejects.toThrow(
      /created by PostgreSQL 17, but this is 18/,
    );
    expect(await readFile(join(old, 'secrets/postgres'), 'utf8').catch(() => 'none')).toBe('none');
  });
});
