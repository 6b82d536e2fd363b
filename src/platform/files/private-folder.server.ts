import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { allowTraversal, isRoot } from '../database/embedded/system-account.server.ts';

/** Our entries of DATA_DIR. The database secures its own files in `postgres`, and files of others are left alone. */
const OWN_ENTRIES = ['files', 'uploads', 'secrets', 'standins', 'server.json', 'id', 'postgres.location'];

/** Returns null for a file that was removed in the meantime. */
const statOrNull = (path: string): Promise<Stats | null> =>
  lstat(path).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

async function restrictMode(path: string): Promise<void> {
  const stats = await statOrNull(path);
  if (!stats?.isDirectory() && !stats?.isFile()) return;
  if ((stats.mode & 0o077) !== 0) await chmod(path, stats.mode & 0o700);
  if (stats.isDirectory()) for (const name of await readdir(path)) await restrictMode(join(path, name));
}

/**
 * Sets modes 0700 and 0600, except on links. If root's database in it runs as another account, that account may still
 * enter (0710). @returns whether the folder was accessible to others
 */
export async function makePrivate(dataDir: string): Promise<boolean> {
  const folder = await realpath(dataDir);
  const stats = await lstat(folder);
  if ((stats.mode & 0o1000) !== 0) throw new Error('It is a folder that all accounts share.');
  const database = isRoot() ? await statOrNull(join(folder, 'postgres')) : null;
  const otherOwner = database && database.uid !== stats.uid ? database : null;
  const neededBits = otherOwner ? 0o010 : 0;
  const isOpen =
    (stats.mode & 0o077 & ~neededBits) !== 0 || (otherOwner !== null && stats.gid !== otherOwner.gid);
  if (!isOpen) return false;
  for (const name of OWN_ENTRIES) await restrictMode(join(folder, name));
  if (otherOwner) await allowTraversal(folder, otherOwner);
  else await chmod(folder, 0o700);
  return true;
}
