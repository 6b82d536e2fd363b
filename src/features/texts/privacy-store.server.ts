import type { Feature } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { VersionKind } from './contract.ts';

export async function deleteTextsOf(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`delete from works where user_id = ${userId}`);
}

export interface TextExportRow {
  id: string;
  feature: Feature;
  title: string;
  author: string | null;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  cursor: string;
}

export const textsAfter = (
  db: Database,
  userId: string,
  after: { cursor: string; id: string } | null,
  limit: number,
) =>
  db.rows<TextExportRow>(sql`
    select id, feature, title, author, created_at, updated_at, deleted_at, created_at::text as cursor from works
     where user_id = ${userId}
       and (${after?.cursor ?? null}::text is null
            or (created_at, id) > (${after?.cursor ?? null}::timestamptz, ${after?.id ?? null}::uuid))
     order by created_at, id limit ${limit}`);

export interface VersionExportRow {
  id: string;
  kind: VersionKind;
  settings: unknown;
  content: string;
  note: string | null;
  generation_id: string | null;
  created_at: Date;
  position: number;
}

export const versionsAfter = (db: Database, workId: string, after: number, limit: number) =>
  db.rows<VersionExportRow>(sql`
    select id, kind, settings, content, note, generation_id, created_at, position from work_versions
     where work_id = ${workId} and position > ${after} order by position limit ${limit}`);

export async function newestText(db: Database, workId: string): Promise<string> {
  const row = await db.row<{ content: string }>(sql`
    select content from work_versions where work_id = ${workId} and content <> '' order by position desc limit 1`);
  return row?.content ?? '';
}
