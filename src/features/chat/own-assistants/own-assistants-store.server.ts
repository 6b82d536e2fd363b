import type { Database } from '#platform/database/database.server.ts';
import { erasable, restorable } from '#platform/database/soft-delete.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { ShownAttachment } from '../attachments/attachment-store.server.ts';
import { chatLimits } from '../contract.ts';
import { type ChatOfReply, chatAssistantId } from '../knowledge/chat-keepers.server.ts';
import { knowledgeFiles, knowledgeIds } from '../knowledge/knowledge-store.server.ts';
import { assistantLimits, type OwnAssistant, type OwnAssistantRow } from './own-assistants-contract.ts';

const restorePeriod = `${chatLimits.restoreDays} days`;

/** For a row `s` of chats. */
export const ownAssistantColumn = raw(`(
  select json_build_object('id', o.id, 'name', o.name, 'about', o.about) from own_assistants o
   where o.id = s.own_assistant_id and o.user_id = s.user_id and o.deleted_at is null) as own`);

const columns = raw('o.id, o.name, o.about, o.model');

export const listUserAssistants = (db: Database, userId: string) =>
  db.rows<OwnAssistantRow>(sql`
    select ${columns} from own_assistants o where o.user_id = ${userId} and o.deleted_at is null
     order by lower(o.name), o.id`);

export const ownAssistant = (db: Database, userId: string, id: string) =>
  db.row<OwnAssistant & { files: ShownAttachment[] }>(sql`
    select ${columns}, o.instruction, ${knowledgeFiles('assistant')} as files from own_assistants o
     where o.id = ${id} and o.user_id = ${userId} and o.deleted_at is null`);

/** Locks the count of the person's assistants until the transaction ends. @returns whether there is room for another */
export async function canAddAssistant(tx: Database, userId: string): Promise<boolean> {
  await tx.run(sql`select 1 from users where id = ${userId} for update`);
  const row = await tx.row<{ room: boolean }>(sql`
    select count(*) < ${assistantLimits.assistants}::int as room from own_assistants
     where user_id = ${userId} and deleted_at is null`);
  return row?.room ?? false;
}

type AssistantFields = Omit<OwnAssistant, 'id'>;

export const insertAssistant = (
  tx: Database,
  { id, userId, name, about, instruction, model }: AssistantFields & { id: string; userId: string },
) =>
  tx.run(sql`
    insert into own_assistants (id, user_id, name, about, instruction, model)
    select ${id}::uuid, u.id, ${name}, ${about}, ${instruction}, ${model} from users u
     where u.id = ${userId} and u.deleted_at is null
    on conflict (id) do nothing`);

/** Undefined fields stay unchanged. */
export const updateAssistant = (
  db: Database,
  userId: string,
  {
    id,
    name,
    about,
    instruction,
    model,
  }: { [Field in keyof AssistantFields]: AssistantFields[Field] | undefined } & { id: string },
) =>
  db.run(sql`
    update own_assistants
       set name = coalesce(${name ?? null}, name), about = coalesce(${about ?? null}, about),
           instruction = coalesce(${instruction ?? null}, instruction),
           model = case when ${model !== undefined}::boolean then ${model ?? null} else model end, updated_at = app_now()
     where id = ${id} and user_id = ${userId} and deleted_at is null`);

export const deleteAssistant = (db: Database, userId: string, id: string) =>
  db.run(sql`
    update own_assistants set deleted_at = app_now() where id = ${id} and user_id = ${userId} and deleted_at is null`);

export const restoreAssistant = (db: Database, userId: string, id: string) =>
  db.run(sql`
    update own_assistants o set deleted_at = null
     where o.id = ${id} and o.user_id = ${userId} and ${restorable('o', restorePeriod)}`);

export const purgeAssistants = (tx: Database) =>
  tx.run(sql`delete from own_assistants o where ${erasable('o', restorePeriod)}`);

export const deleteAssistantsOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from own_assistants where user_id = ${userId}`);

/** From now on `own` replies or, if it is null, `siteAssistant`. @returns whether the chat is the person's own */
export async function setAssistant(
  tx: Database,
  {
    userId,
    chatId,
    own,
    siteAssistant,
  }: { userId: string; chatId: string; own: OwnAssistantRow | null; siteAssistant: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update chat_sessions set own_assistant_id = ${own?.id ?? null}, assistant = ${siteAssistant}, model = coalesce(${own?.model ?? null}, model)
     where id = ${chatId} and user_id = ${userId} and deleted_at is null`);
  return changed > 0;
}

/** Locks the assistant, so that it is not deleted before the transaction ends. */
export const lockAssistant = (tx: Database, userId: string, id: string) =>
  tx.row<OwnAssistantRow>(sql`
    select ${columns} from own_assistants o
     where o.id = ${id} and o.user_id = ${userId} and o.deleted_at is null for share`);

export interface AppliedAssistant {
  name: string;
  instruction: string;
}

/** SQL expression for the statement that starts a reply: the chat's own assistant, as `AppliedAssistant`, or null. */
export const appliedAssistant = (userId: string, chat: ChatOfReply): Statement => sql`
  (select json_build_object('name', o.name, 'instruction', o.instruction) from own_assistants o
    where o.user_id = ${userId} and o.deleted_at is null and o.id = ${chatAssistantId(chat)})`;

export interface AssistantExportRow extends OwnAssistant {
  file_ids: string[];
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

export const assistantsToExport = (db: Database, userId: string) =>
  db.rows<AssistantExportRow>(sql`
    select ${columns}, o.instruction, o.created_at, o.updated_at, o.deleted_at, ${knowledgeIds('assistant')} as file_ids
      from own_assistants o where o.user_id = ${userId} order by o.created_at, o.id`);
