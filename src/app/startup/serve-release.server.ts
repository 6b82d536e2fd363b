import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { releaseRoot } from '#platform/config/project-root.server.ts';
import { loadStaticFiles } from '#platform/http/static-files.server.ts';
import { birthOf } from './single-instance.server.ts';

/** For scripts/lib/releases.mjs; a build that is read-only stays. */
function holdRelease(): void {
  const mark = join(releaseRoot, 'in-use', String(process.pid));
  try {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, birthOf(process.pid) ?? '');
    process.once('exit', () => rmSync(mark, { force: true }));
  } catch {
    // Whoever made it read-only replaces it by another way than ours.
  }
}

/** Pages that are open in browsers want the files of the builds before this one too. */
export function serveRelease(): void {
  holdRelease();
  loadStaticFiles(join(releaseRoot, 'client'));
  const releases = dirname(releaseRoot);
  for (const other of readdirSync(releases)) {
    const client = join(releases, other, 'client');
    if (client !== join(releaseRoot, 'client')) loadStaticFiles(client, 'assets');
  }
}
