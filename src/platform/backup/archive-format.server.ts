import { z } from 'zod';
import { keyPattern } from '../files/file-store.server.ts';

/** A failed backup, restore or move; its message is one line for the operator. */
export class BackupError extends Error {}

export const ARCHIVE_FORMAT = 'ai-tools-site backup';
export const ARCHIVE_VERSION = 1;

/** The first entry of an archive, and the last one before the checksums. */
export const HEADER_ENTRY = 'backup.json';
export const MANIFEST_ENTRY = 'manifest.json';
/** Checksums of all other entries, in the format of `sha256sum -c`. */
export const SUMS_ENTRY = 'SHA256SUMS';

/** Tables are split into entries of about this size, which is also how much is held in memory. */
export const TABLE_ENTRY_BYTES = 4 * 1024 * 1024;
/** Larger than any file that people may upload or a model may create. */
export const MAX_ENTRY_BYTES = 256 * 1024 * 1024;

const table = z.object({ columns: z.array(z.string()).min(1) });

/** The facts that are known before the first row is read. */
export const headerSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.number().int(),
  madeAt: z.string(),
  site: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ version: z.number().int(), name: z.string(), hash: z.string() })),
  /** The site's tables by name. */
  tables: z.record(z.string(), table),
  /** Tables with the open jobs of the job queue; null if the queue has never been started. */
  jobs: z.record(z.string(), table).nullable(),
  /** Identifies the AUTH_SECRET without revealing it. */
  secretPrint: z.string(),
});
export type BackupHeader = z.infer<typeof headerSchema>;

const content = z.object({ rows: z.number().int(), bytes: z.number().int(), sha256: z.string() });
export type TableContent = z.infer<typeof content>;

/** The facts that are found while reading. */
export const manifestSchema = z.object({
  tables: z.record(z.string(), content),
  jobs: z.record(z.string(), content),
  /** The last value of each sequence; null if it has not produced any. */
  sequences: z.record(z.string(), z.string().nullable()),
  files: z.object({ count: z.number().int(), bytes: z.number().int() }),
  /** Files that rows refer to but that did not exist. */
  missingFiles: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

const paths = [
  /^(backup\.json|manifest\.json|SHA256SUMS|secrets\/auth)$/,
  /^(database|jobs)\/[a-z_][a-z0-9_]*\/\d{6,}$/,
  // No part of the path may start with a dot.
  /^standins\/\w[\w.-]*(\/\w[\w.-]*)*$/,
];

/** Whether a backup has entries with such a name; any other entry is rejected. */
export const isEntryName = (name: string): boolean =>
  paths.some((pattern) => pattern.test(name)) ||
  (name.startsWith('files/') && keyPattern.test(name.slice('files/'.length)));

/** Parses the name of an entry such as `database/users/000001`; null for entries without table rows. */
export function parseTableEntry(name: string): { schema: 'database' | 'jobs'; table: string } | null {
  const [schema, table] = name.split('/');
  return table && (schema === 'database' || schema === 'jobs') ? { schema, table } : null;
}
