import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { allowTraversal, isRoot } from '../database/embedded/system-account.server.ts';

/** Our entries of DATA_DIR. The database secures its own files in `postgres`, and files of others are left alone. */
const OURS = ['files', 'uploads', 'secrets', 'standins', 'server.json', 'id', 'postgres.location'];

/** Returns null for a file that was removed in the meantime. */
const statOrNull = (path: string): Promise<Stats | null> =>
  lstat(path).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

async function restrictMode(path: string): Promise<void> {
  const found = await statOrNull(path);
  if (!found?.isDirectory() && !found?.isFile()) return;
  if ((found.mode & 0o077) !== 0) await chmod(path, found.mode & 0o700);
  if (found.isDirectory()) for (const name of await readdir(path)) await restrictMode(join(path, name));
}

/**
 * Sets modes 0700 and 0600, except on links. If root's database in it runs as another account, that account may still
 * enter (0710). @returns whether the folder was accessible to others
 */
export async function makePrivate(dataDir: string): Promise<boolean> {
  const folder = await realpath(dataDir);
  const found = await lstat(folder);
  if ((found.mode & 0o1000) !== 0) throw new Error('It is a folder that all accounts share.');
  const database = isRoot() ? await statOrNull(join(folder, 'postgres')) : null;
  const visitor = database && database.uid !== found.uid ? database : null;
  const needed = visitor ? 0o010 : 0;
  const open = (found.mode & 0o077 & ~needed) !== 0 || (visitor !== null && found.gid !== visitor.gid);
  if (!open) return false;
  for (const name of OURS) await restrictMode(join(folder, name));
  if (visitor) await allowTraversal(folder, visitor);
  else await chmod(folder, 0o700);
  return true;
}
