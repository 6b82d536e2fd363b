import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

function findProject(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'migrations'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('The project folder cannot be found.');
  return findProject(parent);
}

export const projectRoot: string = findProject(import.meta.dirname);

function findRelease(from: string): string {
  if (basename(from) === 'server' && existsSync(join(from, 'main.js'))) return dirname(from);
  if (from !== projectRoot) return findRelease(dirname(from));
  const current = join(projectRoot, 'build/current');
  return existsSync(current) ? realpathSync(current) : current;
}

export const releaseRoot: string = findRelease(import.meta.dirname);

const ownMigrations = join(releaseRoot, 'migrations');

/** The build's own migrations, because the source folder may be newer. */
export const migrationsFolder: string =
  import.meta.dirname.startsWith(releaseRoot) && existsSync(ownMigrations)
    ? ownMigrations
    : join(projectRoot, 'migrations');
