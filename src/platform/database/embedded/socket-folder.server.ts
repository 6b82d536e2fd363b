import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseHome } from './database-home.server.ts';
import { codeOf, EmbeddedDatabaseError } from './embedded-error.server.ts';
import { canReach } from './system-account.server.ts';

export const PORT = 5432;

/** sun_path holds 108 bytes on Linux and 104 on macOS, including the final NUL (unix(7)). */
const MAX_PATH_BYTES = 103;

export async function openSocketFolder(home: DatabaseHome): Promise<string> {
  const defaultFolder = join(home.folder, 'socket');
  const name = `pg-${createHash('sha256').update(home.folder).digest('hex').slice(0, 12)}`;
  const fallbacks = [tmpdir(), '/tmp'].flatMap((base) =>
    [1, 2, 3].map((count) => join(base, `${name}-${count}`)),
  );
  for (const folder of [defaultFolder, ...fallbacks]) {
    if (Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) > MAX_PATH_BYTES) continue;
    if (await claim(folder, home)) return folder;
  }
  throw new EmbeddedDatabaseError(
    `There is no folder for the database socket: ${tmpdir()} and /tmp can't be used.`,
  );
}

/** Returns false if somebody else has already made a folder of this name in a shared place. */
async function claim(folder: string, { account }: DatabaseHome): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    if (account.switched) await lchown(folder, account.uid, account.gid);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false;
  }
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== account.uid) return false;
  if ((stats.mode & 0o077) !== 0) await chmod(folder, 0o700);
  return canReach(account, await realpath(folder));
}
