import type pg from 'pg';
import type { Config } from '#platform/config/config.server.ts';
import { bucketAddress } from '#platform/files/bucket.server.ts';
import { storedFolderId } from '../startup/folder-identity.server.ts';
import { secretFingerprint } from '../startup/secret-fingerprint.server.ts';
import { type Finding, ok, wrong } from './finding.ts';

const ABOUT = 'Processes';

/** Checks that the processes now serving this database have this environment's secret and files. */
export async function checkProcesses(client: pg.Client, config: Config): Promise<Finding[]> {
  const { rows: leases } = await client
    .query<{ secret: string; folder: string }>(
      `select secret_print as secret, folder_id as folder from engine_leases
        where lease_until > app_now() and secret_print <> ''`,
    )
    .catch(() => ({ rows: [] }));
  if (leases.length === 0) return [];
  const { authSecret, dataDir, FILES_BUCKET } = config;
  if (leases.some(({ secret }) => secret !== secretFingerprint(authSecret)))
    return [
      wrong(
        ABOUT,
        'Another process serves this database with a different AUTH_SECRET, so sessions work on one process and not on the next. Give all of them the same one.',
      ),
    ];
  const own = FILES_BUCKET ? bucketAddress(FILES_BUCKET) : storedFolderId(dataDir);
  if (leases.some(({ folder }) => folder !== own))
    return [
      wrong(
        ABOUT,
        'Another process serves this database with different files, so a file can be there on one process and missing on the next. Give all of them the same DATA_DIR (shared, not copied) or FILES_BUCKET.',
      ),
    ];
  const count = leases.length === 1 ? 'One process serves' : `${leases.length} processes serve`;
  return [ok(ABOUT, `${count} this database with this secret and these files.`)];
}
