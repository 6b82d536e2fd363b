import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { readIfExists } from './project.mjs';

// build/releases/ID is one build and never changes. build/current is a link to the build that starts next, and
// build/client and build/server are links into it. A running process keeps using the files of its own release.

/** The newest starts next; browsers may still have pages of the others open and request their files. */
const MAX_RELEASES = 3;

/** @param {string} folder the build folder @param {string} id */
export const releaseFolder = (folder, id) => join(folder, 'releases', id);

/** Replaces a link atomically. */
function link(target, path) {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  symlinkSync(target, draft, 'dir');
  renameSync(draft, path);
}

/** Returns the id of the release that starts next. @param {string} folder @returns {string | undefined} */
export const currentRelease = (folder) => readLink(folder, 'current');

/** Returns the id of the release before the last switch, or undefined if it is deleted. @param {string} folder */
export function previousRelease(folder) {
  const id = readLink(folder, 'previous');
  return id !== undefined && existsSync(releaseFolder(folder, id)) ? id : undefined;
}

function readLink(folder, name) {
  try {
    return readlinkSync(join(folder, name)).split('/').at(-1);
  } catch {
    return undefined;
  }
}

/** Returns the path for a new build, and deletes leftovers of builds that were killed. @param {string} folder */
export function draftRelease(folder) {
  mkdirSync(join(folder, 'releases'), { recursive: true });
  for (const name of readdirSync(folder).filter((name) => name.startsWith('draft-')))
    rmSync(join(folder, name), { recursive: true, force: true });
  return join(folder, `draft-${process.pid}`);
}

/** Moves a finished build to its final folder. @param {string} folder @param {string} draft @param {string} id */
export function storeRelease(folder, draft, id) {
  const target = releaseFolder(folder, id);
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}

/** Makes a release the one that starts next. @param {string} folder @param {string} id */
export function switchTo(folder, id) {
  for (const part of ['client', 'server']) {
    const path = join(folder, part);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Builds made before releases existed have real folders here.
    if (stats?.isDirectory()) rmSync(path, { recursive: true, force: true });
    if (!stats?.isSymbolicLink()) link(join('current', part), path);
  }
  pointTo(folder, id);
}

/** Like `switchTo`, for releases that contain the site's scripts too. @param {string} folder @param {string} id */
export function pointTo(folder, id) {
  const previous = currentRelease(folder);
  if (previous && previous !== id) link(join('releases', previous), join(folder, 'previous'));
  link(join('releases', id), join(folder, 'current'));
}

/** Undoes the last `pointTo`; then there is no previous release. @param {string} folder @param {string} id */
export function revertTo(folder, id) {
  link(join('releases', id), join(folder, 'current'));
  rmSync(join(folder, 'previous'));
}

/** Returns the file names; for an unreadable folder this process's pid, so that the release counts as used. */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [String(process.pid)];
  }
}

/** Each process keeps a file PID with its start time in its release (src/app/startup/serve-release.server.ts). */
function isUsed(target) {
  const inUse = join(target, 'in-use');
  if (!existsSync(inUse)) return false;
  return namesIn(inUse).some((pid) => {
    const startTime = readIfExists(join(inUse, pid));
    try {
      process.kill(Number(pid), 0);
    } catch (error) {
      if (error.code !== 'EPERM') return false;
    }
    const stat = readIfExists(`/proc/${pid}/stat`);
    return (
      !startTime || stat === undefined || stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] === startTime
    );
  });
}

/** Removes all unused releases except the newest. @param {string} folder @returns {string[]} the removed ids */
export function removeUnused(folder) {
  const ids = readdirSync(join(folder, 'releases'));
  const createdAt = (id) => statSync(releaseFolder(folder, id)).mtimeMs;
  const current = currentRelease(folder);
  const older = ids
    .filter((id) => ![current, previousRelease(folder)].includes(id))
    .sort((a, b) => createdAt(b) - createdAt(a));
  const removed = older
    .slice(Math.max(0, MAX_RELEASES - (ids.length - older.length)))
    .filter((id) => !isUsed(releaseFolder(folder, id)));
  for (const id of removed) rmSync(releaseFolder(folder, id), { recursive: true, force: true });
  return removed;
}
