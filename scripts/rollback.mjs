import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkOwnNode, productNode, ROLLED_BACK, siteEnvironment } from './lib/prepare.mjs';
import { inProject, isRelease, PlainError, siteFolder, writeWhole } from './lib/project.mjs';
import { currentRelease, goBackTo, pointTo, previousRelease, releaseFolder } from './lib/releases.mjs';
import { refuseElsewhere, restartAll } from './lib/server-folder.mjs';

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
  if (isRelease) refuseElsewhere('site rollback');
  const folder = isRelease ? siteFolder : inProject('build');
  const newest = currentRelease(folder);
  const before = previousRelease(folder);
  if (before === undefined) throw new PlainError('There is no earlier build to roll back to.');
  const migrations = join(releaseFolder(folder, before), 'migrations');
  if (!existsSync(migrations))
    throw new PlainError(
      `The previous build, ${before}, does not say which schema it supports. Start it by hand.`,
    );
  checkSchema(migrations);
  goBackTo(folder, before);
  if (isRelease) restartOr(() => pointTo(folder, newest));
  else writeWhole(ROLLED_BACK, newest);
  console.log(
    isRelease
      ? `Rolled back: release ${before} is running.`
      : `Rolled back: the next start uses the previous build, ${before}.`,
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
