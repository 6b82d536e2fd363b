import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { projectRoot, releaseRoot } from '#platform/config/project-root.server.ts';
import { listStaticFiles } from '#platform/http/static-files.server.ts';
import { processStartTime } from './single-instance.server.ts';

/** Marks the release as in use for scripts/lib/releases.mjs. */
function markInUse(): void {
  const markFile = join(releaseRoot, 'in-use', String(process.pid));
  try {
    mkdirSync(dirname(markFile), { recursive: true });
    writeFileSync(markFile, processStartTime(process.pid) ?? '');
    process.once('exit', () => rmSync(markFile, { force: true }));
  } catch {
    // A read-only release is not replaced by those scripts.
  }
}

/** Returns the folder that contains this build, and those of release archives unpacked next to this one. */
function buildFolders(): string[] {
  const own = dirname(releaseRoot);
  const archives = dirname(projectRoot);
  if (basename(archives) !== 'releases') return [own];
  const others = readdirSync(archives).map((name) => join(archives, name, 'build/releases'));
  return [own, ...others.filter((folder) => folder !== own && existsSync(folder))];
}

/** Also serves the assets of previous builds, because pages open in browsers still request them. */
export function serveRelease(): void {
  markInUse();
  listStaticFiles(join(releaseRoot, 'client'));
  for (const folder of buildFolders())
    for (const other of readdirSync(folder)) {
      const client = join(folder, other, 'client');
      if (client !== join(releaseRoot, 'client')) listStaticFiles(client, '/assets');
    }
}
