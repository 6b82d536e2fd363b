import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkOwnNode, productNode, ROLLED_BACK, siteEnvironment } from './lib/prepare.mjs';
import { inProject, isRelease, PlainError, siteFolder, writeAtomically } from './lib/project.mjs';
import { currentRelease, pointTo, previousRelease, releaseFolder, revertTo } from './lib/releases.mjs';
import { requireServerRelease, restartAll } from './lib/server-folder.mjs';

// `npm run rollback`, and `site rollback` on a server: makes the previous build the one that starts next.

/** Checks, as the owner of `.env`, whether a build supports the database's schema. @param {string} migrations folder */
function checkSchema(migrations) {
  const entry = inProject('build', 'server', 'schema-check.js');
  const settings = statSync(join(siteFolder, '.env'), { throwIfNoEntry: false });
  const asRoot = process.getuid?.() === 0;
  const { status } = spawnSync(productNode(), [entry, migrations], {
    cwd: siteFolder,
    env: { ...siteEnvironment(), NODE_ENV: 'production' },
    stdio: 'inherit',
    ...(asRoot && isRelease && settings ? { uid: settings.uid, gid: settings.gid } : {}),
  });
  if (status !== 0) throw new PlainError('Nothing was changed.');
}

function rollBack() {
  checkOwnNode();
  if (isRelease) requireServerRelease('site rollback');
  const folder = isRelease ? siteFolder : inProject('build');
  const newest = currentRelease(folder);
  const previous = previousRelease(folder);
  if (previous === undefined) throw new PlainError('There is no earlier build to roll back to.');
  const migrations = join(releaseFolder(folder, previous), 'migrations');
  if (!existsSync(migrations))
    throw new PlainError(
      `The previous build, ${previous}, does not say which schema it supports. Start it by hand.`,
    );
  checkSchema(migrations);
  revertTo(folder, previous);
  if (isRelease) restartOr(() => pointTo(folder, newest));
  else writeAtomically(ROLLED_BACK, newest);
  console.log(
    isRelease
      ? `Rolled back: release ${previous} is running.`
      : `Rolled back: the next start uses the previous build, ${previous}.`,
  );
}

/** @param {() => void} undo */
function restartOr(undo) {
  try {
    restartAll();
  } catch (error) {
    undo();
    throw new PlainError(
      `${error.message}\nThe previous release did not start, so the next start uses this one again.`,
    );
  }
}

try {
  rollBack();
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
