import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimProcessLease } from '#features/generations/service.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { StartError, whenReachable } from './open-database.server.ts';

const sentences = {
  AUTH_SECRET:
    'Another process serves this database with another AUTH_SECRET: set the same one for all, or, to change it, end the others first.',
  DATA_DIR:
    'Another process serves this database with another DATA_DIR: let all of them use one folder (shared, not copied), or, to move it, end the others first.',
};

/** A link lets the first of two starters win, where links can be made. */
function folderId(dataDir: string): string {
  const file = join(dataDir, 'id');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${randomUUID()}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * Beside a live process with another AUTH_SECRET or DATA_DIR, sessions and files would be there or not by chance.
 * @throws StartError
 */
export async function checkPeerSettings({ authSecret, dataDir }: Config): Promise<void> {
  const secretPrint = createHmac('sha256', authSecret).update('processes of one site').digest('base64url');
  const own = { secretPrint, folderId: folderId(dataDir) };
  const different = await whenReachable(() => claimProcessLease(own));
  if (different) throw new StartError(sentences[different]);
}
