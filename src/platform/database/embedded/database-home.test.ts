import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runToCompletion } from './child-process.server.ts';
import { openDatabaseHome } from './database-home.server.ts';
import { startEmbeddedDatabase } from './embedded-database.server.ts';
import { locateBinaries, runnableBinaries } from './postgres-binaries.server.ts';
import {
  canReach,
  chownTree,
  isRoot,
  type SystemAccount,
  unprivilegedAccount,
} from './system-account.server.ts';

const noLog = () => undefined;
const plainUser: SystemAccount = { uid: 65534, gid: 65534, switched: true };
/** False if the checkout is in a 0700 home, which the second account of these tests cannot read. */
const sharedCheckout =
  isRoot() &&
  (await canReach(plainUser, import.meta.dirname)) &&
  (await canReach(plainUser, dirname(process.execPath)));

let base: string;
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'home-')));
  await chmod(base, 0o755);
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function count(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query('select count(*)::int as n from kept');
  await client.end();
  return rows[0].n;
}

async function startAsPlainUser(dataDir: string): Promise<string> {
  const module = new URL('./embedded-database.server.ts', import.meta.url).href;
  const code = `import { startEmbeddedDatabase } from ${JSON.stringify(module)};
    try {
      const database = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
      await database.stop();
      console.log('ok');
    } catch (error) {
      console.log(error.message);
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    uid: plainUser.uid,
    gid: plainUser.gid,
    cwd: base,
  });
  return stdout.trim();
}

describe.runIf(isRoot())('started by root', () => {
  it('repairs data that was copied as root, and keeps the rows', async () => {
    const dataDir = join(base, 'copied');
    const first = await startEmbeddedDatabase({ dataDir, log: noLog });
    const client = new pg.Client(first.connection);
    await client.connect();
    await client.query('create table kept as select generate_series(1, 40) as n');
    await client.end();
    await first.stop();
    await chownTree(join(dataDir, 'postgres'), { uid: 0, gid: 0, switched: false });
    await chmod(first.dataFolder, 0o755);

    const second = await startEmbeddedDatabase({ dataDir, log: noLog });
    expect(await count(second.connection)).toBe(40);
    await second.stop();
    expect((await stat(second.dataFolder)).mode & 0o777).toBe(0o700);
  });

  it('stores the data in another folder if its account cannot enter DATA_DIR, and logs which', async () => {
    const closed = join(base, 'closed');
    const dataDir = join(closed, 'data');
    await mkdir(closed, { mode: 0o700 });
    const log: string[] = [];
    const home = await openDatabaseHome({ dataDir, major: '18', log: (line) => log.push(line) });
    try {
      expect(home.folder.startsWith(closed)).toBe(false);
      expect(await canReach(home.account, home.folder)).toBe(true);
      expect((await stat(home.folder)).mode & 0o777).toBe(0o700);
      expect(await readFile(join(dataDir, 'postgres.location'), 'utf8')).toBe(`${home.folder}\n${dataDir}\n`);
      expect(log.join()).toContain(home.folder);
      expect((await openDatabaseHome({ dataDir, major: '18', log: noLog })).folder).toBe(home.folder);

      await cp(dataDir, join(closed, 'copy'), { recursive: true });
      const copy = { dataDir: join(closed, 'copy'), major: '18', log: noLog };
      await expect(openDatabaseHome(copy)).rejects.toThrow(/is a copy of/);
      await rm(dataDir, { recursive: true });
      expect((await openDatabaseHome(copy)).folder).toBe(home.folder);
      await rm(home.folder, { recursive: true });
      await expect(openDatabaseHome(copy)).rejects.toThrow(/which is missing/);
    } finally {
      await rm(home.folder, { recursive: true, force: true });
    }
  });

  it('gets its account through a private DATA_DIR and leaves it private', async () => {
    const dataDir = join(base, 'private');
    await mkdir(dataDir, { mode: 0o700 });
    const home = await openDatabaseHome({ dataDir, major: '18', log: noLog });
    expect(home.folder).toBe(join(dataDir, 'postgres'));
    expect(await canReach(home.account, home.folder)).toBe(true);
    expect(await stat(dataDir)).toMatchObject({ uid: 0, gid: home.account.gid, mode: 0o040710 });
    expect((await openDatabaseHome({ dataDir, major: '18', log: noLog })).folder).toBe(home.folder);
  });

  it('copies the program once to a folder where its account can run it', async () => {
    const closed = join(base, 'closed-program');
    await mkdir(closed, { mode: 0o700 });
    const program = await locateBinaries();
    await cp(program.folder, join(closed, 'native'), { recursive: true, verbatimSymlinks: true });
    const home = await openDatabaseHome({ dataDir: join(base, 'program'), major: program.major, log: noLog });
    const copy = await runnableBinaries({ ...program, folder: join(closed, 'native') }, home);
    expect(copy.folder.startsWith(home.folder)).toBe(true);
    const options = { args: ['--version'], account: await unprivilegedAccount(), cwd: home.folder };
    const { output } = await runToCompletion(join(copy.folder, 'bin/initdb'), options);
    expect(output).toMatch(/^initdb \(PostgreSQL\) 18\./);
    const copiedAt = (await stat(copy.folder)).ctimeMs;
    expect(await runnableBinaries({ ...program, folder: join(closed, 'native') }, home)).toEqual(copy);
    expect((await stat(copy.folder)).ctimeMs).toBe(copiedAt);
  });
});

describe.runIf(sharedCheckout)('started by a plain user', () => {
  it('runs as that user, and root later uses the data as the same user', async () => {
    const dataDir = join(base, 'plain');
    await mkdir(dataDir);
    await chown(dataDir, plainUser.uid, plainUser.gid);
    expect(await startAsPlainUser(dataDir)).toBe('ok');
    expect((await stat(join(dataDir, 'postgres/18'))).uid).toBe(plainUser.uid);
    const home = await openDatabaseHome({ dataDir, major: '18', log: noLog });
    expect(home.account).toEqual(plainUser);
  });

  it('reports in one line who owns the data', async () => {
    const dataDir = join(base, 'foreign');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await chown(dataDir, plainUser.uid, plainUser.gid);
    expect(await startAsPlainUser(dataDir)).toMatch(
      /^\S+postgres belongs to user 0, but this is user 65534\. .*$/,
    );
    const closed = join(base, 'not-mine');
    await mkdir(closed, { mode: 0o755 });
    expect(await startAsPlainUser(join(closed, 'data'))).toMatch(
      /^No permission for .*\. Start as the user who/,
    );
  });
});
