import { claimProcessLease } from '#features/generations/service.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { bucketAddress } from '#platform/files/bucket.server.ts';
import { folderId } from './folder-identity.server.ts';
import { whenReachable } from './open-database.server.ts';
import { secretFingerprint } from './secret-fingerprint.server.ts';
import { checkNotMoved } from './site-place.server.ts';
import { StartError } from './start-error.server.ts';

const messages = {
  AUTH_SECRET:
    'Another process serves this database with a different AUTH_SECRET. Set the same one for all processes, or stop the others first to change it.',
  DATA_DIR:
    'Another process serves this database with a different DATA_DIR. Use one folder for all processes (shared, not copied), or stop the others first to move it.',
};

/**
 * Checks that live processes of this database have the same AUTH_SECRET and files; otherwise sessions and files would
 * depend on the process that answers. @throws StartError
 */
export async function checkPeerSettings({ authSecret, dataDir, FILES_BUCKET }: Config): Promise<void> {
  const own = {
    secretPrint: secretFingerprint(authSecret),
    folderId: FILES_BUCKET ? bucketAddress(FILES_BUCKET) : folderId(dataDir),
  };
  const difference = await whenReachable(() => claimProcessLease(own));
  if (difference) throw new StartError(messages[difference]);
  // A running move blocks the lease, so it is complete by now.
  await checkNotMoved();
}
