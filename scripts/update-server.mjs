import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { PlainError, readIfExists, root, siteFolder } from './lib/project.mjs';
import { pointTo, releaseFolder } from './lib/releases.mjs';
import { requireServerRelease, restartAll, run } from './lib/server-folder.mjs';

// `site update ARCHIVE`: unpacks a release next to the running one and restarts the processes with it.

const MAX_RELEASES = 3;

/** @param {string | undefined} archive @returns {string} the id of the release */
function unpack(archive) {
  if (archive === undefined || !existsSync(archive))
    throw new PlainError(
      'Add an archive made by npm run release, for example: site update site-linux-x64.tar.gz',
    );
  const draft = mkdtempSync(join(siteFolder, 'update-'));
  try {
    run('tar', ['-xzf', resolve(archive), '-C', draft]);
    const [id = ''] = existsSync(join(draft, 'releases')) ? readdirSync(join(draft, 'releases')) : [];
    const manifest = JSON.parse(readIfExists(join(draft, 'releases', id, 'release.json')) ?? '{}');
    if (manifest.id !== id) throw new PlainError(`${archive} is not a release of the site.`);
    const own = `${process.platform}-${process.arch}`;
    if (manifest.system !== own)
      throw new PlainError(`${archive} is for ${manifest.system}, but this machine is ${own}.`);
    if (!existsSync(releaseFolder(siteFolder, id)))
      renameSync(join(draft, 'releases', id), releaseFolder(siteFolder, id));
    return id;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeOlder(current) {
  const older = readdirSync(join(siteFolder, 'releases'))
    .filter((id) => id !== current && id !== basename(root))
    .sort();
  for (const id of older.slice(0, Math.max(0, older.length - (MAX_RELEASES - 2))))
    rmSync(releaseFolder(siteFolder, id), { recursive: true, force: true });
}

/** @param {string | undefined} archive */
function update(archive) {
  requireServerRelease('site update');
  const id = unpack(archive);
  const previous = basename(root);
  pointTo(siteFolder, id);
  try {
    restartAll();
  } catch (error) {
    pointTo(siteFolder, previous);
    restartAll();
    throw new PlainError(`${error.message}\nRelease ${id} did not start, so ${previous} is running again.`);
  }
  removeOlder(id);
  console.log(`Release ${id} is running. To go back to ${previous}: site rollback`);
}

try {
  update(process.argv[2]);
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
