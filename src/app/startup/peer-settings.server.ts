import { claimProcessLease } from '#features/generations/service.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { bucketAddress } from '#platform/files/bucket.server.ts';
import { folderId } from './folder-identity.server.ts';
import { whenReachable } from './open-database.server.ts';
import { secretPrint } from './secret-print.server.ts';
import { refuseMoved } from './site-place.server.ts';
import { StartError } from './start-error.server.ts';

const sentences = {
  AUTH_SECRET:
    'Another process serves this database with another AUTH_SECRET: set the same one for all, or, to change it, end the others first.',
  DATA_DIR:
    'Another process serves this database with another DATA_DIR: let all of them use one folder (shared, not copied), or, to move it, end the others first.',
};

/**
 * Beside a live process with another AUTH_SECRET or DATA_DIR, sessions and files would be there or not by chance.
 * @throws StartError
 */
export async function checkPeerSettings({ authSecret, dataDir, FILES_BUCKET }: Config): Promise<void> {
  const own = {
    secretPrint: secretPrint(authSecret),
    folderId: FILES_BUCKET ? bucketAddress(FILES_BUCKET) : folderId(dataDir),
  };
  const different = await whenReachable(() => claimProcessLease(own));
  if (different) throw new StartError(sentences[different]);
  // A move holds the leases until it is done.
  await refuseMoved();
}
