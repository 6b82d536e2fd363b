import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import { type SentFile, shownAttachment } from '../attachments/attachment-store.server.ts';
import { type ChatOfReply, chatAssistantId, chatProjectId } from './chat-keepers.server.ts';
import { knowledgeLimits } from './knowledge-contract.ts';

/** A project or an own assistant, whose files are given to each of its replies. */
export interface Keeper {
  kind: 'project' | 'assistant';
  id: string;
}

/** `of`: the kind of keeper, which the model is told. */
export type KnowledgeFile = SentFile & { of: Keeper['kind'] };

/** `alias`: of its row in the query around `filesOf`. */
const keepers = {
  project: { table: raw('projects'), column: raw('project_id'), alias: 'p' },
  assistant: { table: raw('own_assistants'), column: raw('assistant_id'), alias: 'o' },
} as const;

const filesOf = (kind: Keeper['kind']) =>
  `knowledge_files k join attachments a on a.id = k.attachment_id
    where k.${keepers[kind].column.text} = ${keepers[kind].alias}.id`;

/** Returns an SQL expression for the files of a project or assistant, in the order in which they were added. */
export const knowledgeFiles = (kind: Keeper['kind']) =>
  raw(
    `(select coalesce(json_agg(${shownAttachment.text} order by k.added_at, a.id), '[]') from ${filesOf(kind)})`,
  );

export const knowledgeIds = (kind: Keeper['kind']) =>
  raw(`array(select a.id from ${filesOf(kind)} order by k.added_at, a.id)`);

/** Keeps its files unchanged until the transaction ends. @returns their ids, or null if the keeper does not exist */
export async function lockKeeper(
  tx: Database,
  userId: string,
  { kind, id }: Keeper,
): Promise<string[] | null> {
  const { table, column } = keepers[kind];
  const locked = await tx.row(sql`
    select 1 from ${table} where id = ${id} and user_id = ${userId} and deleted_at is null for update`);
  if (!locked) return null;
  const rows = await tx.rows<{ id: string }>(sql`
    select attachment_id as id from knowledge_files where ${column} = ${id}`);
  return rows.map((row) => row.id);
}

/** @returns whether the file exists */
export async function addKnowledgeFile(
  tx: Database,
  userId: string,
  { keeper, fileId }: { keeper: Keeper; fileId: string },
): Promise<boolean> {
  const file = await tx.row(sql`
    select 1 from attachments where id = ${fileId} and user_id = ${userId} for key share`);
  if (!file) return false;
  await tx.run(sql`
    insert into knowledge_files (attachment_id, user_id, ${keepers[keeper.kind].column})
    values (${fileId}, ${userId}, ${keeper.id})`);
  return true;
}

/** @returns whether the keeper had it */
export async function removeKnowledgeFile(
  tx: Database,
  { keeper: { kind, id }, fileId }: { keeper: Keeper; fileId: string },
): Promise<boolean> {
  const removed = await tx.run(sql`
    delete from knowledge_files where ${keepers[kind].column} = ${id} and attachment_id = ${fileId}`);
  return removed > 0;
}

/** SQL expression for starting a reply: the files of the chat's assistant and project, as `KnowledgeFile`. */
export const knowledgeOfChat = (userId: string, chat: ChatOfReply): Statement => sql`
  (select coalesce(json_agg(json_build_object('id', a.id, 'kind', a.kind, 'name', a.name, 'textBytes', octet_length(a.text),
                                              'of', case when k.project_id is null then 'assistant' else 'project' end)
                            order by k.project_id is not null, k.added_at, a.id), '[]')
     from knowledge_files k join attachments a on a.id = k.attachment_id
    where k.user_id = ${userId}
      and (k.project_id = (select p.id from projects p
                            where p.id = ${chatProjectId(chat)} and p.user_id = ${userId} and p.deleted_at is null)
           or k.assistant_id = (select o.id from own_assistants o
                                 where o.id = ${chatAssistantId(chat)} and o.user_id = ${userId} and o.deleted_at is null)))`;

export const knowledgeOwners: Invariant = {
  id: 'I41',
  description: `a file belongs to a project or assistant of its own person, which has at most ${knowledgeLimits.files} files`,
  violations: sql`
    select coalesce(k.project_id, k.assistant_id) as keeper_id, k.attachment_id
      from knowledge_files k join attachments a on a.id = k.attachment_id
     where a.user_id <> k.user_id or num_nonnulls(k.project_id, k.assistant_id) <> 1
    union all
    select coalesce(project_id, assistant_id), null from knowledge_files
     group by project_id, assistant_id having count(*) > ${knowledgeLimits.files}::int
    union all
    select s.id, null from chat_sessions s join own_assistants o on o.id = s.own_assistant_id where o.user_id <> s.user_id`,
};
