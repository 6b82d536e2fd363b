import { chmodSync, mkdtempSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
/** Leaves room for other programs: 170 databases of 13 MB and their log take less than 3 GB. */
const MEMORY_BYTES = 8 * 2 ** 30;

/**
 * Creates a temporary folder that the database's account can enter, which mkdtemp's mode 0700 would forbid.
 * @param {string} parent
 */
export function makeTestFolder(parent) {
  const folder = realpathSync(mkdtempSync(join(parent, 'test-')));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Returns a folder in memory, where creating a database does not wait for a file system that has just deleted others; null
 * if there is none with enough space, or programs may not run in it.
 */
export function memoryFolder() {
  try {
    const mount = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, path]) => path === MEMORY_FOLDER);
    const [, , type, options = ''] = mount ?? [];
    if (type !== 'tmpfs' || options.split(',').includes('noexec')) return null;
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_BYTES ? MEMORY_FOLDER : null;
  } catch {
    return null;
  }
}
