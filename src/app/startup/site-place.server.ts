import { type Database, database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { bucketAddress } from '#platform/files/bucket.server.ts';
import { configuredPlace, type FilePlace } from '#platform/files/file-store.server.ts';
import { features } from '../features.ts';
import { StartError } from './start-error.server.ts';

/** Stored file place for DATA_DIR; also the default, because databases from before buckets store none. */
const FOLDER = 'folder';
const nameOf = (place: FilePlace) => ('bucket' in place ? bucketAddress(place.bucket) : FOLDER);

const UPSERT =
  'insert into instance_values (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value';

type Query = (text: string, values: unknown[]) => Promise<unknown>;

export async function setFilePlace(query: Query, place: FilePlace = configuredPlace()): Promise<void> {
  await query(UPSERT, ['files', nameOf(place)]);
}

/** Records that the site has moved to another database. */
export async function recordMove(query: Query, to: string): Promise<void> {
  await query(UPSERT, ['moved-to', JSON.stringify({ to, at: new Date().toISOString() })]);
}

async function hasFiles(db: Database): Promise<boolean> {
  for (const { fileKeys } of features)
    if (fileKeys && (await db.row(sql`select 1 from (${fileKeys}) k limit 1`))) return true;
  return false;
}

async function checkFilePlace(db: Database): Promise<void> {
  const row = await db.row<{ value: string }>(sql`select value from instance_values where key = 'files'`);
  const stored = row?.value ?? FOLDER;
  const place = configuredPlace();
  if (stored === nameOf(place)) return;
  if (await hasFiles(db))
    throw new StartError(
      stored === FOLDER
        ? 'The files of this site are in DATA_DIR. Move them with npm run move -- files BUCKET, or unset FILES_BUCKET.'
        : `The files of this site are in the bucket ${stored}. Set FILES_BUCKET and S3_ENDPOINT to it.`,
    );
  await setFilePlace((text, values) => db.run({ text, values }), place);
}

/** @throws StartError if the site was moved from this database to another one. */
export async function checkNotMoved(db: Database = database()): Promise<void> {
  const row = await db.row<{ value: string }>(sql`select value from instance_values where key = 'moved-to'`);
  if (!row) return;
  const { to, at } = JSON.parse(row.value) as { to: string; at: string };
  throw new StartError(
    `The site was moved from this database to ${to} on ${at.slice(0, 10)}. ${to === EMBEDDED_DATABASE ? 'Unset DATABASE_URL' : 'Set DATABASE_URL to that one'}, or run npm run move -- undo to go back to this database as it was then.`,
  );
}

/** Name of the embedded database for `recordMove`. */
export const EMBEDDED_DATABASE = 'the embedded one';

/** Checks that the site was not moved away, and that the settings lead to its files. @throws StartError */
export async function checkSitePlace(): Promise<void> {
  await checkNotMoved();
  await checkFilePlace(database());
}
