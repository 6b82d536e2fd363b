import { linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inProject, readIfExists, writeAtomically } from './project.mjs';

const HEARTBEAT_MS = 2000;
const POLL_MS = 200;
/** After this many checks without a heartbeat (60 s), the pid must belong to another process. */
const MAX_SILENT_POLLS = 300;

/**
 * Runs work while holding `.cache/<name>.lock`. The file contains this process's pid and, after `recordPid` is called,
 * that of the program it runs, which may outlive this process. A lock of dead processes is broken.
 * @template T
 * @param {string} name
 * @param {{ onWait: (pid: number) => void }} options
 * @param {(recordPid: (pid: number) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, options, work) {
  mkdirSync(inProject('.cache'), { recursive: true });
  const file = inProject('.cache', `${name}.lock`);
  await acquire(file, options.onWait);
  const beat = setInterval(() => touch(file), HEARTBEAT_MS);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work((pid) => writeAtomically(file, `${process.pid} ${pid}`));
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

/** @param {string} file @param {(pid: number) => void} onWait */
async function acquire(file, onWait) {
  let hasWaited = false;
  let silentPolls = 0;
  let lastBeat = 0;
  while (!claim(file)) {
    const holders = readIfExists(file) ?? '';
    const beat = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    silentPolls = beat === lastBeat ? silentPolls + 1 : 0;
    lastBeat = beat;
    if (beat !== 0 && (!holders.split(' ').some(isAlive) || silentPolls > MAX_SILENT_POLLS)) {
      breakLock(file, holders);
      continue;
    }
    if (!hasWaited && beat !== 0) onWait(Number.parseInt(holders, 10));
    hasWaited = hasWaited || beat !== 0;
    await delay(POLL_MS);
  }
}

/** Uses a hard link because it appears atomically with its content, unlike a file that is created and then written. */
function claim(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${process.pid}\n`);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code)) throw error;
    return claimWithoutLinks(file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Fallback for file systems without hard links (exFAT). */
function claimWithoutLinks(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** If two waiting processes break a lock at once, the second must not remove the new lock of the first. */
function breakLock(file, holders) {
  const brokenFile = `${file}.broken.${process.pid}`;
  try {
    renameSync(file, brokenFile);
    if (readIfExists(brokenFile) !== holders) linkSync(brokenFile, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(brokenFile, { force: true });
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Removed by hand. The work continues, and its stamps are written only at the end.
  }
}

/** @param {string} text a process id */
function isAlive(text) {
  const pid = Number.parseInt(text, 10);
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  // A dead process that its parent does not reap (a container without an init) stays listed as a zombie.
  return !/\) [ZX] /.test(readIfExists(`/proc/${pid}/stat`) ?? '');
}
