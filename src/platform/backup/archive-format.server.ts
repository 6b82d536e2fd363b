import { z } from 'zod';
import { keyPattern } from '../files/file-store.server.ts';

/** A failure of a backup, a restore or a move whose message is one line for the operator. */
export class BackupError extends Error {}

export const ARCHIVE_FORMAT = 'ai-tools-site backup';
export const ARCHIVE_VERSION = 1;

/** First and last entries of an archive. */
export const HEADER_ENTRY = 'backup.json';
export const MANIFEST_ENTRY = 'manifest.json';
/** As `sha256sum -c` reads it: every other entry of the archive. */
export const SUMS_ENTRY = 'SHA256SUMS';

/** Tables are cut into entries of about this size, which is what is held in memory. */
export const TABLE_ENTRY_BYTES = 4 * 1024 * 1024;
/** Above any file that people may upload or a model may make. */
export const MAX_ENTRY_BYTES = 256 * 1024 * 1024;

const table = z.object({ columns: z.array(z.string()).min(1) });

/** What is known before the first row is read. */
export const headerSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.number().int(),
  madeAt: z.string(),
  site: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ version: z.number().int(), name: z.string(), hash: z.string() })),
  /** Tables of the site by name. */
  tables: z.record(z.string(), table),
  /** What of the job queue is not done yet; null before the first start of the queue. */
  jobs: z.record(z.string(), table).nullable(),
  /** Tells two AUTH_SECRETs apart, and nothing more of them. */
  secretPrint: z.string(),
});
export type BackupHeader = z.infer<typeof headerSchema>;

const content = z.object({ rows: z.number().int(), bytes: z.number().int(), sha256: z.string() });
export type TableContent = z.infer<typeof content>;

/** What was found while it was read. */
export const manifestSchema = z.object({
  tables: z.record(z.string(), content),
  jobs: z.record(z.string(), content),
  /** The last value that each sequence gave; null where it gave none. */
  sequences: z.record(z.string(), z.string().nullable()),
  files: z.object({ count: z.number().int(), bytes: z.number().int() }),
  /** Files that rows name and that were not there. */
  missingFiles: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

const paths = [
  /^(backup\.json|manifest\.json|SHA256SUMS|secrets\/auth)$/,
  /^(database|jobs)\/[a-z_][a-z0-9_]*\/\d{6,}$/,
  // No part begins with a dot.
  /^standins\/\w[\w.-]*(\/\w[\w.-]*)*$/,
];

/** Whether a backup has entries of that name; whatever else an archive holds is not put anywhere. */
export const isEntryName = (name: string): boolean =>
  paths.some((pattern) => pattern.test(name)) ||
  (name.startsWith('files/') && keyPattern.test(name.slice('files/'.length)));

/** The table of an entry such as `database/users/000001`. */
export function tableOf(name: string): { schema: 'database' | 'jobs'; table: string } | null {
  const [schema, found] = name.split('/');
  return found && (schema === 'database' || schema === 'jobs') ? { schema, table: found } : null;
}
