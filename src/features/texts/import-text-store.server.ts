import type { Feature } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { TextLength } from '#shared/text-length.ts';
import type { VersionKind } from './contract.ts';

/** @returns false if the account was deleted meanwhile; then nothing is written. */
export async function insertImportedText(
  tx: Database,
  row: {
    id: string;
    userId: string;
    feature: Feature;
    title: string;
    author: string | null;
    createdAt: Date;
    updatedAt: Date;
  },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into works (id, user_id, feature, title, named, author, created_at, updated_at)
    select ${row.id}, u.id, ${row.feature}, ${row.title}, true, ${row.author}, ${row.createdAt}, ${row.updatedAt}
      from users u where u.id = ${row.userId} and u.deleted_at is null`);
  return added > 0;
}

export interface ImportedVersionRow extends TextLength {
  id: string;
  kind: VersionKind;
  settings: object;
  content: string;
  note: string | null;
  createdAt: Date;
}

/** Inserts the versions in this order, after existing ones. */
export async function insertImportedVersions(
  tx: Database,
  workId: string,
  rows: readonly ImportedVersionRow[],
): Promise<void> {
  await tx.run(sql`
    insert into work_versions (id, work_id, kind, settings, content, words, characters, note, created_at, saved_at, imported)
    select id, ${workId}::uuid, kind, settings::jsonb, content, words, characters, note, at, at, true
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ kind }) => kind)}::text[],
                  ${rows.map(({ settings }) => JSON.stringify(settings))}::text[], ${rows.map(({ content }) => content)}::text[],
                  ${rows.map(({ words }) => words)}::int[], ${rows.map(({ characters }) => characters)}::int[],
                  ${rows.map(({ note }) => note)}::text[], ${rows.map(({ createdAt }) => createdAt)}::timestamptz[])
           with ordinality as t (id, kind, settings, content, words, characters, note, at, place)
     order by place`);
}
