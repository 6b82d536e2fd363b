import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ReplyRating } from './contract.ts';

export interface ImportedChatRow {
  id: string;
  userId: string;
  title: string;
  assistant: string;
  ownAssistantId: string | null;
  model: string | null;
  comparedModel: string | null;
  projectId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** @returns false if the account was deleted meanwhile */
export async function insertImported(tx: Database, row: ImportedChatRow): Promise<boolean> {
  const added = await tx.run(sql`
    insert into chat_sessions (id, user_id, title, title_source, assistant, own_assistant_id, model, compared_model, project_id,
                               created_at, updated_at, imported)
    select ${row.id}, u.id, ${row.title}, 'user', ${row.assistant}, ${row.ownAssistantId}, ${row.model}, ${row.comparedModel},
           ${row.projectId}, ${row.createdAt}, ${row.updatedAt}, true
      from users u where u.id = ${row.userId} and u.deleted_at is null`);
  return added > 0;
}

export interface ImportedMessageRow {
  id: string;
  parentId: string | null;
  role: 'user' | 'assistant';
  text: string;
  createdAt: Date;
  files: readonly ImportedFileRef[];
  /** Id of the set of images that it shows. */
  drawnBy: string | null;
  assistantName: string | null;
  rating: ReplyRating | null;
}

export interface ImportedFileRef {
  id: string;
  /** When it was attached. */
  createdAt: Date;
}

/** Parents must come before the messages that follow them. */
export async function insertImportedMessages(
  tx: Database,
  sessionId: string,
  rows: readonly ImportedMessageRow[],
): Promise<void> {
  await tx.run(sql`
    insert into chat_messages (id, session_id, parent_id, role, content, created_at, attachment_id, copied, drawn_by, assistant_name)
    select id, ${sessionId}::uuid, parent, role, text, at, file, true, drawn, answered
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ parentId }) => parentId)}::uuid[],
                  ${rows.map(({ role }) => role)}::text[], ${rows.map(({ text }) => text)}::text[],
                  ${rows.map(({ createdAt }) => createdAt)}::timestamptz[],
                  ${rows.map(({ files }) => files[0]?.id ?? null)}::uuid[], ${rows.map(({ drawnBy }) => drawnBy)}::uuid[],
                  ${rows.map(({ assistantName }) => assistantName)}::text[])
           with ordinality as t (id, parent, role, text, at, file, drawn, answered, place)
     order by place`);
}

/** Inserts the ratings of messages that are already stored. They count for no model of this site. */
export async function insertImportedRatings(
  tx: Database,
  userId: string,
  rows: readonly ImportedMessageRow[],
): Promise<void> {
  const rated = rows.flatMap(({ id, rating, createdAt }) => (rating ? [{ id, createdAt, ...rating }] : []));
  if (rated.length === 0) return;
  await tx.run(sql`
    insert into reply_ratings (message_id, user_id, good, reason, created_at)
    select message, ${userId}::uuid, good, reason, at
      from unnest(${rated.map(({ id }) => id)}::uuid[], ${rated.map(({ good }) => good)}::boolean[],
                  ${rated.map(({ reason }) => reason)}::text[], ${rated.map(({ createdAt }) => createdAt)}::timestamptz[])
           as t (message, good, reason, at)`);
}

/** Attaches the second and further files of messages that are already stored, and sets the times of all files. */
export async function attachImportedFiles(
  tx: Database,
  userId: string,
  rows: readonly ImportedMessageRow[],
): Promise<void> {
  const files = rows.flatMap(({ files: own }) => own);
  const further = rows.flatMap(({ id, files: own }) =>
    own.slice(1).map((file, at) => ({ message: id, position: at + 2, file: file.id })),
  );
  await tx.run(sql`
    insert into further_attachments (message_id, position, attachment_id, user_id)
    select message, position, file, ${userId}::uuid
      from unnest(${further.map(({ message }) => message)}::uuid[], ${further.map(({ position }) => position)}::smallint[],
                  ${further.map(({ file }) => file)}::uuid[]) as t (message, position, file)`);
  await setFileTimes(tx, userId, files);
}

/** Sets the original times. Call it only once something refers to the files, because old unused files are erased. */
export const setFileTimes = (tx: Database, userId: string, files: readonly ImportedFileRef[]) =>
  tx.run(sql`
    update attachments a set created_at = t.at
      from unnest(${files.map(({ id }) => id)}::uuid[], ${files.map(({ createdAt }) => createdAt)}::timestamptz[]) as t (id, at)
     where a.id = t.id and a.user_id = ${userId}`);

/** Call it after inserting the messages, because they unarchive a chat. */
export async function arrangeImported(
  tx: Database,
  id: string,
  {
    shownId,
    archivedAt,
    pinnedAt,
  }: { shownId: string | null; archivedAt: Date | null; pinnedAt: Date | null },
): Promise<void> {
  await tx.run(sql`
    update chat_sessions set tip_id = ${shownId}, archived_at = ${archivedAt}, pinned_at = ${pinnedAt} where id = ${id}`);
}

/** Returns which of these are chats of the person that are not deleted. */
export async function existingChats(db: Database, userId: string, ids: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from chat_sessions where id = any(${ids}::uuid[]) and user_id = ${userId} and deleted_at is null`);
  return rows.map(({ id }) => id);
}
