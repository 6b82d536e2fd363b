import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { extract, pack } from 'tar-stream';
import { withDatabase } from './postgres.ts';
import { runEntry, type TestServer } from './server.ts';

export type SiteData = Pick<TestServer, 'databaseUrl' | 'dataDir'>;

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'site-backup-'));

/** Creates an empty database in the PostgreSQL of the run. @returns its URL. */
export async function emptyDatabase(postgres: string): Promise<string> {
  const name = `e_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return withDatabase(postgres, name);
}

/** Runs `npm run backup`. @returns the address of the archive that it prints. */
export async function backup(
  place: SiteData,
  env: Record<string, string>,
  args: string[] = [],
): Promise<string> {
  const { code, output } = await runEntry('backup', place, args, env);
  const address = /^Backed up to (\S+\.tar\.zst(?:\.age)?): /m.exec(output)?.[1];
  if (code !== 0 || !address) throw new Error(`No backup was made:\n${output}`);
  return address;
}

export const restore = (
  place: SiteData,
  archive: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> => runEntry('restore', place, [archive], env);

export async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Tables that a process of the site changes as soon as it connects. */
const VOLATILE = ['engine_leases', 'instance_values', 'rate_limits'];

/** Returns, for every table, its row count and a checksum of its rows in any order. */
export async function contents(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows.filter((row) => !VOLATILE.includes(row.name))) {
    const { rows: sums } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' order by t::text collate "C"), '')) as sum from ${name} t`,
    );
    found[name] = sums[0]?.sum ?? '';
  }
  return found;
}

/** Returns the SHA-256 of every file of a DATA_DIR, by its key. */
export function fileSums(dataDir: string): Record<string, string> {
  const folder = join(dataDir, 'files');
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [
        path.slice(folder.length + 1),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
  );
}

/** Reads the entries of an unencrypted archive with standard tools. */
export async function entriesOf(archive: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const tar = extract();
  Readable.from([zstdDecompressSync(readFileSync(archive))]).pipe(tar);
  for await (const entry of tar) found.set(entry.header.name, await buffer(entry));
  return found;
}

/** Writes an archive in our format with arbitrary entries and correct checksums. */
export async function writeArchive(
  path: string,
  entries: Iterable<[name: string, bytes: Buffer]>,
): Promise<string> {
  const tar = pack();
  const sums: string[] = [];
  for (const [name, bytes] of entries) {
    tar.entry({ name }, bytes);
    sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  }
  tar.entry({ name: 'SHA256SUMS' }, sums.join(''));
  tar.finalize();
  writeFileSync(path, zstdCompressSync(await buffer(tar)));
  return path;
}
