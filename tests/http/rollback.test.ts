import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { currentRelease, switchTo } from '../../scripts/lib/releases.mjs';
import { makeDatabase } from '../support/postgres.ts';
import { AUTH_SECRET, runEntry } from '../support/server.ts';

const own = resolve(import.meta.dirname, '../..');
let project: string;
let databaseUrl: string;
let database: pg.Client;
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'site-rollback-'));
  for (const name of ['package.json', 'node_modules', 'migrations'])
    symlinkSync(join(own, name), join(project, name));
  cpSync(join(own, 'scripts'), join(project, 'scripts'), { recursive: true });
  cpSync(realpathSync(join(own, 'build/current')), join(project, 'build/releases/newer'), {
    recursive: true,
  });
  const before = join(project, 'build/releases/before');
  mkdirSync(join(before, 'server'), { recursive: true });
  writeFileSync(join(before, 'server/main.js'), '');
  cpSync(join(own, 'migrations'), join(before, 'migrations'), { recursive: true });
  for (const id of ['before', 'newer']) switchTo(join(project, 'build'), id);
  databaseUrl = await makeDatabase(inject('postgres'));
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  rmSync(project, { recursive: true, force: true });
});

const current = () => currentRelease(join(project, 'build'));

function rollBack(): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, 'scripts/rollback.mjs')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, AUTH_SECRET, DATABASE_URL: databaseUrl, DATA_DIR: join(project, 'data') },
  });
  return { status, output: stdout + stderr };
}

/** Records a migration as a later build would. */
async function migrateTo(version: number, bearableFrom: number | null): Promise<void> {
  await database.query('delete from schema_migrations where version > 9000');
  await database.query(
    `insert into schema_migrations (version, name, hash, bearable_from) values ($1, 'later', '', $2)`,
    [version, bearableFrom],
  );
}

describe('a build on the schema of a later one', () => {
  const audit = () => runEntry('audit', { databaseUrl, dataDir: join(project, 'data') });

  it('runs where the later migrations remove nothing that it uses', async () => {
    await migrateTo(9001, 0);
    expect((await audit()).code).toBe(0);
  });

  it.each([
    ['one of them does', 9001],
    ['one of them does not state it', null],
  ])('does not where %s', async (_, from) => {
    await migrateTo(9002, from);
    expect(await audit()).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The database has schema 9002, but this build supports only \d+\. Start a newer build\.\n$/,
      ),
    });
  });
});

describe('npm run rollback', () => {
  it('changes nothing where the previous build would not start, and says so in one sentence', async () => {
    await migrateTo(9002, 9001);
    expect(rollBack()).toEqual({
      status: 1,
      output: expect.stringMatching(
        /^The previous build supports schema \d+, but the database is at schema 9002, which removed something the previous build uses\. .*\nNothing was changed\.\n$/,
      ),
    });
    expect(current()).toBe('newer');
  });

  it('makes the previous build start next, once', async () => {
    await migrateTo(9001, 0);
    expect(rollBack()).toEqual({
      status: 0,
      output: 'Rolled back: the next start uses the previous build, before.\n',
    });
    expect(current()).toBe('before');
    expect(rollBack()).toEqual({ status: 1, output: 'There is no earlier build to roll back to.\n' });
  });
});
