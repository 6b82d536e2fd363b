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
import { readIfThere } from './project.mjs';

// build/releases/ID is one build, which nothing changes once it is there. build/current is a link to the one that is
// started next, and build/client and build/server are links into that. A process stays with the files of its release.

/** The newest is started next; pages of the others may still be open in browsers, which ask for their files. */
const KEPT = 3;

/** @param {string} folder the build folder @param {string} id */
export const releaseFolder = (folder, id) => join(folder, 'releases', id);

/** Replaces a link in one step. */
function link(target, path) {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  symlinkSync(target, draft, 'dir');
  renameSync(draft, path);
}

/** The id of the release that is started next. @param {string} folder @returns {string | undefined} */
export const currentRelease = (folder) => linked(folder, 'current');

/** The id of the release that was current before the last switch, while it is kept. @param {string} folder */
export function previousRelease(folder) {
  const id = linked(folder, 'previous');
  return id !== undefined && existsSync(releaseFolder(folder, id)) ? id : undefined;
}

function linked(folder, name) {
  try {
    return readlinkSync(join(folder, name)).split('/').at(-1);
  } catch {
    return undefined;
  }
}

/** A name for a build that is being made; what a killed one left behind is removed. @param {string} folder */
export function draftRelease(folder) {
  mkdirSync(join(folder, 'releases'), { recursive: true });
  for (const name of readdirSync(folder).filter((each) => each.startsWith('draft-')))
    rmSync(join(folder, name), { recursive: true, force: true });
  return join(folder, `draft-${process.pid}`);
}

/** Puts a finished build in its place. @param {string} folder @param {string} draft @param {string} id */
export function keepRelease(folder, draft, id) {
  const place = releaseFolder(folder, id);
  rmSync(place, { recursive: true, force: true });
  renameSync(draft, place);
}

/** Lets a release be the one that is started next. @param {string} folder @param {string} id */
export function switchTo(folder, id) {
  for (const part of ['client', 'server']) {
    const path = join(folder, part);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // A build of before there were releases: its folders make way.
    if (found?.isDirectory()) rmSync(path, { recursive: true, force: true });
    if (!found?.isSymbolicLink()) link(join('current', part), path);
  }
  pointTo(folder, id);
}

/** As `switchTo`, where the release is a whole site with its scripts. @param {string} folder @param {string} id */
export function pointTo(folder, id) {
  const before = currentRelease(folder);
  if (before && before !== id) link(join('releases', before), join(folder, 'previous'));
  link(join('releases', id), join(folder, 'current'));
}

/** Goes back to the release that `pointTo` left, after which none is before it. @param {string} folder @param {string} id */
export function goBackTo(folder, id) {
  link(join('releases', id), join(folder, 'current'));
  rmSync(join(folder, 'previous'));
}

/** One process's number where the folder may not be read: then it counts as used. */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [String(process.pid)];
  }
}

/** Processes leave `pid` files with the time of their birth in their release (src/app/startup/serve-release.server.ts). */
function isUsed(place) {
  const users = join(place, 'in-use');
  if (!existsSync(users)) return false;
  return namesIn(users).some((pid) => {
    const born = readIfThere(join(users, pid));
    try {
      process.kill(Number(pid), 0);
    } catch (error) {
      if (error.code !== 'EPERM') return false;
    }
    const stat = readIfThere(`/proc/${pid}/stat`);
    return !born || stat === undefined || stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] === born;
  });
}

/** Removes the releases that nobody uses any more but the newest. @param {string} folder @returns {string[]} what went */
export function removeUnused(folder) {
  const ids = readdirSync(join(folder, 'releases'));
  const made = (id) => statSync(releaseFolder(folder, id)).mtimeMs;
  const current = currentRelease(folder);
  const older = ids
    .filter((id) => ![current, previousRelease(folder)].includes(id))
    .sort((a, b) => made(b) - made(a));
  const gone = older
    .slice(Math.max(0, KEPT - (ids.length - older.length)))
    .filter((id) => !isUsed(releaseFolder(folder, id)));
  for (const id of gone) rmSync(releaseFolder(folder, id), { recursive: true, force: true });
  return gone;
}
