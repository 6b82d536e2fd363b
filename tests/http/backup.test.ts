import { createHash } from 'node:crypto';
import {
  cpSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  backup,
  contents,
  emptyDatabase,
  entriesOf,
  fileSums,
  newFolder,
  restore,
  type SiteData,
  withPool,
  writeArchive,
} from '../support/backups.ts';
import { openChat, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { auditCommand, waitUntilIdle } from '../support/consistency.ts';
import { runJob, upload } from '../support/files.ts';
import { requestImages } from '../support/images.ts';
import { createPeople, createPerson, type Person, personAt } from '../support/people.ts';
import { pngFile } from '../support/picked-files.ts';
import { startS3 } from '../support/s3-server.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { sampled, soak } from '../support/soak.ts';

let server: TestServer;
let owner: Person;
let chatId: string;
let photo: Buffer;
let folder: string;
/** Backup of the idle site, made before any test uses it. */
let archive: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = newFolder();
  env = { BACKUP_DIR: folder };
  photo = (await pngFile()).buffer;
  server = await startTestServer({ postgres: inject('postgres') });
  owner = await createPerson(server, { credits: 100, plan: 'pro' });
  const sent = await send(owner, `${uniqueWord()} [[tps:0]]`);
  await waitForEnd(owner, sent.body.generation.id);
  chatId = sent.chatId;
  expect((await upload(server, owner, photo, { name: 'photo.png', type: 'image/png' })).status).toBe(201);
  await waitUntilIdle(server);
  // In a separate folder: a backup deletes all but the newest seven in its own.
  archive = await backup(server, { BACKUP_DIR: newFolder() });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const newPlace = async (): Promise<SiteData> => ({
  databaseUrl: await emptyDatabase(inject('postgres')),
  dataDir: newFolder(),
});

/** Uses the site until `isOver`: chats, images, and files that are uploaded and deleted. */
async function useSite(person: Person, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const sent = await send(person, `${uniqueWord()} [[answer:lorem]] [[tokens:120]] [[tps:200]]`);
    const { body } = await upload(server, person, photo, { name: 'photo.png', type: 'image/png' });
    await requestImages(person, { prompt: `${uniqueWord()} [[first:0]] a lighthouse`, count: 1 });
    if (body.id) await person.send('DELETE', `/api/files/${body.id}`);
    if (sent.status < 300) await waitForEnd(person, sent.body.generation.id);
  }
}

const rowsOf = async (pool: pg.Pool, table: string): Promise<number> =>
  (await pool.query<{ rows: number }>(`select count(*)::int as rows from ${table}`)).rows[0]?.rows ?? -1;

/** Tables that change when a starting site closes the runs of the old process. */
const CLOSED = [
  'engine_leases',
  'instance_values',
  'credit_ledger',
  'generation_chunks',
  'shown_pieces',
  'thinking',
  'usage_days',
];

describe('a backup of a busy site', () => {
  it('restores elsewhere as the site was at one moment: every row and file, with a clean audit', async () => {
    const people = await createPeople(server, sampled(4, 12), { credits: 1_000, plan: 'pro' });
    let isFinished = false;
    const activity = people.map((person) => useSite(person, () => isFinished));
    await eventually(async () => (await rowsOf(server.database, 'generations')) > 20);
    const paths = [];
    while (paths.length < sampled(1, 4)) paths.push(await backup(server, env));
    isFinished = true;
    await Promise.all(activity);
    for (const path of paths) {
      const entries = await entriesOf(path);
      const { tables, files, missingFiles } = JSON.parse(String(entries.get('manifest.json')));
      expect(missingFiles).toEqual([]);
      const place = { databaseUrl: '', dataDir: newFolder() };
      const result = await restore(place, path);
      expect(result.output).toContain('The audit found no problems');
      expect(result.code).toBe(0);
      const stored = [...entries].filter(([name]) => name.startsWith('files/'));
      expect(files.count).toBe(stored.length);
      expect(fileSums(place.dataDir)).toEqual(
        Object.fromEntries(
          stored
            .map(([name, bytes]) => [name.slice(6), createHash('sha256').update(bytes).digest('hex')])
            .sort(),
        ),
      );
      const site = await startTestServer({ postgres: '', embedded: true, dataDir: place.dataDir });
      try {
        for (const [table, { rows }] of Object.entries<{ rows: number }>(tables))
          if (!CLOSED.includes(table))
            expect([table, await rowsOf(site.database, table)]).toEqual([table, rows]);
        const { sessions } = tables as { sessions: { rows: number } };
        expect(sessions.rows).toBeGreaterThan(people.length);
        // People are still signed in and can continue.
        const person = personAt(site, people[0] as Person);
        const sent = await send(person, `${uniqueWord()} [[tps:0]]`);
        expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({ state: 'done' });
      } finally {
        await site.stop();
      }
      rmSync(place.dataDir, { recursive: true, force: true });
    }
    await waitUntilIdle(server);
  });

  it('is readable by this account only', () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('opens with standard programs, and all checksums match', async () => {
    const entries = await entriesOf(archive);
    const lines = String(entries.get('SHA256SUMS')).trim().split('\n');
    expect(lines.length).toBe(entries.size - 1);
    for (const line of lines) {
      const [sum = '', name = ''] = line.split('  ');
      expect(
        createHash('sha256')
          .update(entries.get(name) ?? '')
          .digest('hex'),
        name,
      ).toBe(sum);
    }
  });

  it.runIf(soak)('contains each waiting job once, and no finished job', async () => {
    const { rows } = await server.database.query<{ id: string }>(
      `insert into jobs.job (name, data, start_after) values ('audit', '{}', now() + interval '1 day') returning id`,
    );
    const place = await newPlace();
    await restore(place, await backup(server, env));
    const found = await withPool(place.databaseUrl, (pool) =>
      pool.query(
        `select id, state from jobs.job where name = 'audit' and start_after > now() + interval '1 hour'`,
      ),
    );
    expect(found.rows).toEqual([{ id: rows[0]?.id, state: 'created' }]);
    const done = await withPool(place.databaseUrl, (pool) =>
      pool.query(`select 1 from jobs.job where state in ('completed', 'failed')`),
    );
    expect(done.rowCount).toBe(0);
    await server.database.query('delete from jobs.job where id = $1', [rows[0]?.id]);
  });

  it('reports a missing file that a row refers to, and contains everything else', async () => {
    const { body } = await upload(server, owner, photo, { name: 'gone.png', type: 'image/png' });
    const { rows } = await server.database.query<{ file_key: string }>(
      'select file_key from attachments where id = $1',
      [body.id],
    );
    const key = rows[0]?.file_key ?? '';
    rmSync(join(server.dataDir, 'files', key));
    const { code, output } = await runEntry('backup', server, [], env);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`Missing file, not in this backup: files/${key}`),
    ]);
    await server.database.query('delete from attachments where id = $1', [body.id]);
  });

  it.runIf(soak)('does not run at the same time as another one', async () => {
    const holder = await server.database.connect();
    await holder.query('select pg_advisory_lock(7241003)');
    const { code, output } = await runEntry('backup', server, [], env);
    await holder.query('select pg_advisory_unlock(7241003)');
    holder.release();
    expect([code, output]).toEqual([1, 'Another backup of this site is running.\n']);
  });
});

describe('files whose rows are deleted during a backup', () => {
  it('remain until it is finished', async () => {
    const { body } = await upload(server, owner, photo, { name: 'late.png', type: 'image/png' });
    const before = Object.keys(fileSums(server.dataDir)).length;
    const holder = await server.database.connect();
    await holder.query('select pg_advisory_lock(7241003)');
    expect((await owner.send('DELETE', `/api/files/${body.id}`)).status).toBe(204);
    expect(Object.keys(fileSums(server.dataDir)).length).toBe(before);
    await holder.query('select pg_advisory_unlock(7241003)');
    holder.release();
  });
});

describe('a restore', () => {
  it.runIf(soak)('restores the content of the site exactly, in an external database too', async () => {
    const place = await newPlace();
    const { code, output } = await restore(place, archive);
    expect([code, output]).toEqual([0, expect.stringContaining('The audit found no problems')]);
    const site = await startTestServer({ postgres: '', ...place });
    const restoredOwner = personAt(site, owner);
    expect(await openChat(restoredOwner, chatId)).toEqual(await openChat(owner, chatId));
    expect(await auditCommand(site)).toEqual({ code: 0, violated: [] });
    await site.stop();
  });

  it.runIf(soak)('restores every table exactly', async () => {
    const places = [await newPlace(), await newPlace()];
    const path = await backup(server, env);
    for (const place of places) await restore(place, path);
    const [first, second] = await Promise.all(
      places.map((place) => withPool(place.databaseUrl, (pool) => contents(pool))),
    );
    expect(first).toEqual(second);
    // Indexes, constraints, triggers and sequences are equal too.
    const shape = `select pg_get_indexdef(indexrelid) as what from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'public'::regnamespace
      union all select conrelid::regclass || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select tgrelid::regclass || tgname || tgenabled::text from pg_trigger where not tgisinternal
      union all select sequencename || coalesce(last_value, 0) from pg_sequences where schemaname = 'public'
      order by 1`;
    const restored = await withPool(places[0]?.databaseUrl ?? '', (pool) => pool.query(shape));
    expect(restored.rows).toEqual((await server.database.query(shape)).rows);
  });

  it.runIf(soak)('creates a new identity, so that it is not mistaken for the original', async () => {
    const place = await newPlace();
    await restore(place, archive);
    const site = await startTestServer({ postgres: '', ...place });
    const idOf = (dataDir: string) => readFileSync(join(dataDir, 'id'), 'utf8').split('\n')[0];
    expect(idOf(place.dataDir)).not.toBe(idOf(server.dataDir));
    await site.stop();
  });

  const refusalOf = async (path: string, place?: SiteData, extraEnv: Record<string, string> = {}) => {
    const target = place ?? (await newPlace());
    const { code, output } = await restore(target, path, extraEnv);
    expect(output.trim().split('\n').length, output).toBe(1);
    expect(code).toBe(1);
    if (!place) {
      expect(fileSums(target.dataDir)).toEqual({});
      expect(await withPool(target.databaseUrl, (pool) => contents(pool))).toEqual({});
    }
    return output.trim();
  };
  const damagedCopy = (change: (bytes: Buffer) => Buffer) => {
    const path = join(newFolder(), basename(archive));
    writeFileSync(path, change(readFileSync(archive)));
    return path;
  };

  it.runIf(soak)('refuses a truncated archive', async () => {
    expect(await refusalOf(damagedCopy((bytes) => bytes.subarray(0, Math.floor(bytes.length / 2))))).toMatch(
      /^The backup is damaged: it is cut off/,
    );
    expect(await refusalOf(damagedCopy((bytes) => bytes.subarray(0, bytes.length - 60)))).toMatch(
      /^The backup is damaged/,
    );
  });

  it('refuses an archive with a changed byte anywhere', async () => {
    const { length } = readFileSync(archive);
    for (const at of [0.1, 0.5, 0.9])
      expect(
        await refusalOf(
          damagedCopy((bytes) => {
            const changed = Buffer.from(bytes);
            const place = Math.floor(length * at);
            changed[place] = (changed[place] ?? 0) ^ 1;
            return changed;
          }),
        ),
      ).toMatch(/^The backup is damaged/);
  });

  it.runIf(soak)('refuses an archive with wrong checksums or foreign entries', async () => {
    const entries = await entriesOf(archive);
    entries.delete('SHA256SUMS');
    const path = join(newFolder(), 'forged.tar.zst');
    const archiveWith = (name: string) => writeArchive(path, [...entries, [name, Buffer.from('x')]]);
    for (const name of [
      '../outside',
      'files/../../outside',
      '/etc/cron.d/x',
      'files/picture/ab/x',
      'standins/.x',
    ])
      expect(await refusalOf(await archiveWith(name))).toMatch(
        /^The archive contains ".*", which does not belong in a backup/,
      );
    const [header, ...rest] = entries;
    expect(await refusalOf(await writeArchive(path, rest))).toBe(
      'This is not a backup made by npm run backup.',
    );
    expect(await refusalOf(await writeArchive(path, header ? [header] : []))).toMatch(
      /^The backup is damaged/,
    );
  });

  it.runIf(soak)('refuses a file that is no backup', async () => {
    const path = join(newFolder(), 'letter.txt');
    writeFileSync(path, 'Dear operator, this is not an archive.');
    expect(await refusalOf(path)).toBe('This is not a backup made by npm run backup.');
    expect(await refusalOf(join(newFolder(), 'none.tar.zst'))).toMatch(
      /^Can't read .*: it does not exist, or this account has no access/,
    );
  });

  it.runIf(soak)('refuses a schema newer than the build', async () => {
    const entries = await entriesOf(archive);
    entries.delete('SHA256SUMS');
    const header = JSON.parse(String(entries.get('backup.json')));
    header.migrations.push({ version: 9000, name: '9000-later.sql', hash: '' });
    entries.set('backup.json', Buffer.from(JSON.stringify(header)));
    const path = await writeArchive(join(newFolder(), 'newer.tar.zst'), entries);
    expect(await refusalOf(path)).toMatch(
      /^The database has schema 9000, but this build supports only \d+\. Start a newer build\.$/,
    );
  });

  it('refuses a target that is not empty, and leaves it unchanged', async () => {
    const before = await contents(server.database);
    expect(await refusalOf(archive, server)).toMatch(/^The database already has tables/);
    expect(await contents(server.database)).toEqual(before);
    const place = await newPlace();
    const occupied = { ...place, dataDir: server.dataDir };
    expect(await refusalOf(archive, occupied)).toMatch(/^\/.* already has files/);
    expect(await withPool(place.databaseUrl, (pool) => contents(pool))).toEqual({});
  });

  it('only checks whether the archive is complete with --verify', async () => {
    const place = await newPlace();
    const { code, output } = await runEntry('restore', place, ['--verify', archive]);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^The backup is complete: http.* rows in \d+ tables/),
    ]);
    expect(await withPool(place.databaseUrl, (pool) => contents(pool))).toEqual({});
  });
});

describe('a passphrase', () => {
  const secret = { BACKUP_PASSPHRASE: 'lighthouse keeper 7' };

  it.runIf(soak)('makes a backup unreadable without it', async () => {
    const path = await backup(server, { ...env, ...secret });
    expect(path).toMatch(/\.tar\.zst\.age$/);
    expect(readFileSync(path).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const place = await newPlace();
    expect((await restore(place, path)).output).toBe('The backup is encrypted. Set BACKUP_PASSPHRASE.\n');
    expect((await restore(place, path, { BACKUP_PASSPHRASE: 'somebody else 12' })).output).toBe(
      'BACKUP_PASSPHRASE does not decrypt this backup.\n',
    );
    // Each decryption takes seconds of CPU time by design.
    if (soak) {
      const cutPath = join(newFolder(), basename(path));
      writeFileSync(cutPath, readFileSync(path).subarray(0, -100));
      expect((await restore(place, cutPath, secret)).output).toMatch(/^The backup is damaged/);
    }
    expect((await restore(place, path, secret)).output).toContain('The audit found no problems');
  });
});

describe('old backups', () => {
  it.runIf(soak)('are removed beyond --keep, only those of this site', async () => {
    const place = newFolder();
    const foreignName = 'other.example-20200101T000000Z.tar.zst';
    const killed = 'localhost-20200101T000000Z.tar.zst.part';
    for (const name of [foreignName, killed, 'notes.txt']) writeFileSync(join(place, name), '');
    for (const day of ['01', '02', '03'])
      writeFileSync(join(place, `localhost-202001${day}T000000Z.tar.zst`), '');
    const path = await backup(server, {}, ['--to', place, '--keep', '2']);
    expect(readdirSync(place).sort()).toEqual(
      [basename(path), 'localhost-20200103T000000Z.tar.zst', 'notes.txt', foreignName].sort(),
    );
    const { output } = await runEntry('backup', server, ['--to', place, '--list']);
    expect(output.split('\n')[0]).toContain(path);
  });

  it('require a location', async () => {
    const { code, output } = await runEntry('backup', server);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Choose where to put the backup: set BACKUP_DIR/),
    ]);
  });
});

describe('a bucket', () => {
  it.runIf(soak)('stores backups, keeps a limited number, and restores from them', async () => {
    const s3 = await startS3('backups');
    const to = { ...s3.env, BACKUP_DIR: 's3://backups/site' };
    await backup(server, to);
    // Backup names have a resolution of one second, so a second one may fail at first.
    await eventually(async () => (await backup(server, to, ['--keep', '1'])) !== '');
    const { output } = await runEntry('backup', server, ['--list'], to);
    const [line = '', ...more] = output.trim().split('\n');
    expect(more).toEqual([]);
    const address = /s3:\/\/backups\/site\/\S+$/.exec(line)?.[0] ?? '';
    const place = await newPlace();
    expect((await restore(place, address, s3.env)).output).toContain('The audit found no problems');
    expect(Object.keys(fileSums(place.dataDir)).length).toBeGreaterThan(0);
    await s3.stop();
  });
});

describe('a new build', () => {
  /** Makes a copy of this project with one additional migration. */
  const projectWith = (migration: string): string => {
    const root = resolve(import.meta.dirname, '../..');
    const project = newFolder();
    for (const name of ['package.json', 'node_modules', 'standins', 'content'])
      symlinkSync(join(root, name), join(project, name));
    symlinkSync(join(root, 'migrations'), join(project, 'migrations'));
    cpSync(realpathSync(join(root, 'build/current')), join(project, 'build/releases/new'), {
      recursive: true,
    });
    writeFileSync(join(project, 'build/releases/new/migrations/9001-new.sql'), migration);
    for (const part of ['client', 'server'])
      symlinkSync(join('releases/new', part), join(project, 'build', part));
    symlinkSync('releases/new', join(project, 'build/current'));
    return join(project, 'build/server');
  };
  const startWith = (build: string, place: SiteData, to: string) =>
    startTestServer({ postgres: '', ...place, build, env: { BACKUP_DIR: to } });

  it.runIf(soak)(
    'makes a backup before it changes the schema, and names it if a migration fails',
    async () => {
      const [place, to] = [await newPlace(), newFolder()];
      await restore(place, archive);
      const failing = projectWith('create table half (n int); select 1 / 0;');
      const start = await startWith(failing, place, to).catch((error: Error) => error.message);
      const names = readdirSync(to);
      expect(names).toEqual([expect.stringMatching(/^localhost-.*-before-9001\.tar\.zst$/)]);
      const path = join(to, names[0] ?? '');
      expect(String(start).trim().split('\n').slice(1)).toEqual([
        `Migration 9001-new.sql failed: division by zero. The backup from before this change is ${path}.`,
      ]);
      // A repeated failing start makes no second backup.
      await startWith(failing, place, to).catch(() => undefined);
      expect(readdirSync(to)).toEqual(names);
      const restorePlace = await newPlace();
      expect((await restore(restorePlace, path)).output).toContain('The audit found no problems');
    },
  );

  it.runIf(soak)('migrates an older backup to its schema', async () => {
    const place = await newPlace();
    const build = projectWith('create table later (n int); insert into later values (7);');
    const { code, output } = await runEntry('restore', place, [archive], {}, build);
    expect([code, output]).toEqual([0, expect.stringContaining('The audit found no problems')]);
    const later = await withPool(place.databaseUrl, (pool) => pool.query('select n from later'));
    expect(later.rows).toEqual([{ n: 7 }]);
  });

  it.runIf(soak)('does not start if the backup cannot be written', async () => {
    const place = await newPlace();
    await restore(place, archive);
    const blocked = join(newFolder(), 'file');
    writeFileSync(blocked, '');
    const start = await startWith(projectWith('create table later (n int);'), place, blocked).catch(
      (error: Error) => error.message,
    );
    expect(String(start)).toMatch(
      /\nThe backup before the schema change failed, so nothing was changed\. Can't write to /,
    );
    const later = await withPool(place.databaseUrl, (pool) =>
      pool.query(`select to_regclass('later') as there`),
    );
    expect(later.rows).toEqual([{ there: null }]);
  });
});

describe('the daily backup', () => {
  it.runIf(soak)('is made by one process of the site, and shown by the doctor', async () => {
    const to = newFolder();
    const place = await newPlace();
    await restore(place, archive);
    const site = await startTestServer({ postgres: '', ...place, env: { BACKUP_DIR: to } });
    await eventually(
      async () => (await site.database.query(`select 1 from jobs.queue where name = 'backup'`)).rowCount,
    );
    await runJob(site, 'backup');
    const [name = ''] = readdirSync(to);
    const { output } = await runEntry('doctor', site, [], { BACKUP_DIR: to });
    expect(output).toContain(`The last backup is 0 hours old: ${join(to, name)}.`);
    await site.stop();
  });
});

it('every invariant holds', async () => {
  expect(await auditCommand(server)).toEqual({ code: 0, violated: [] });
});
