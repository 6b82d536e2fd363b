import { type AppliedInstructions, appliedInstructions } from '#features/accounts/service.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import { type SentFile, shownKind } from '../attachments/attachment-store.server.ts';
import type { Attachment } from '../contract.ts';
import type { FileLeftOut } from '../knowledge/file-left-out.ts';
import { type KnowledgeFile, knowledgeOfChat } from '../knowledge/knowledge-store.server.ts';
import { type AppliedAssistant, appliedAssistant } from '../own-assistants/own-assistants-store.server.ts';
import { instructionsOfProject } from '../projects/projects-store.server.ts';
import type { MessageRow } from './branch-store.server.ts';

export interface SendResult {
  session_id: string | null;
  title: string;
  is_new: boolean;
  message_id: string;
  content: string;
  reply_id: string;
  instructions: AppliedInstructions | null;
  /** The person's own assistant of this chat. */
  assistant: AppliedAssistant | null;
  /** Files of the chat's assistant and project. */
  knowledge: KnowledgeFile[];
  temporary: boolean;
}

/** The own assistant that a new chat starts with; `model` is null where it names none or none that is offered. */
export interface InitialAssistant {
  id: string;
  model: string | null;
}

export interface SendRow {
  userId: string;
  chatId: string;
  create: string | null;
  /** Only for a new chat. */
  temporary: boolean;
  /** Only for a new chat. */
  projectId: string | null;
  /** Only for a new chat. */
  own: InitialAssistant | null;
  replyId: string;
  /** Stored for the chat; undefined where the page offers no choice, and for another version of a reply. */
  model: string | null | undefined;
  /** The second model, stored with `model`. */
  compared: string | null;
  question: Question;
  /** `length` in UTF-16 units. */
  continues: { id: string; length: number } | null;
}

export interface Question {
  id: string;
  text: string | null;
  parentId: string | null;
  replaces: string | null;
  attachmentIds: string[];
}

export function sendStatement(admission: Statement, row: SendRow): Statement {
  const { question, continues, model } = row;
  const [firstFile = null, ...furtherFiles] = question.attachmentIds;
  const keepModel =
    model === undefined
      ? sql``
      : sql`left join lateral (
        select keep_chat_model(a.verdict = 'admitted', w.session_id, ${model}, ${row.compared}) as kept) k on true`;
  const placeInProject =
    row.projectId === null
      ? sql``
      : sql`left join lateral (
        select place_in_project(w.is_new, w.session_id, ${row.userId}, ${row.projectId}) as project_id) p on true`;
  const chat = { chatId: row.chatId, newProjectId: row.projectId, newAssistantId: row.own?.id ?? null };
  const project = instructionsOfProject(row.userId, chat);
  const beginWithAssistant =
    row.own === null
      ? sql``
      : sql`left join lateral (
        select begin_with_assistant(w.is_new, w.session_id, ${row.userId}, ${row.own.id}, ${model === undefined ? row.own.model : null}) as assistant_id) b on true`;
  const addFurtherFiles =
    furtherFiles.length === 0
      ? sql``
      : sql`left join lateral (
        select add_further_attachments(a.verdict = 'admitted', w.message_id, ${row.userId}, ${furtherFiles}) as added) f on true`;
  return sql`
    with a as materialized (${admission})
    select a.*, w.*, t.temporary${model === undefined ? sql`` : sql`, k.kept`}${furtherFiles.length === 0 ? sql`` : sql`, f.added`}${row.projectId === null ? sql`` : sql`, p.project_id`}${row.own === null ? sql`` : sql`, b.assistant_id`}, ${appliedInstructions(row.userId, project)} as instructions,
      ${knowledgeOfChat(row.userId, chat)} as knowledge, ${appliedAssistant(row.userId, chat)} as assistant from a left join lateral write_exchange(a.verdict, a.generation_id, ${row.userId}, ${row.chatId},
      ${row.create}, ${question.id}, ${row.replyId}, ${question.text}, ${question.parentId}, ${question.replaces},
      ${firstFile}, ${continues?.id ?? null}, ${continues?.length ?? 0}) w on true
      left join lateral (
        select mark_temporary(w.is_new and ${row.temporary}::boolean, w.session_id)
            or coalesce((select s.temporary from chat_sessions s where s.id = w.session_id), false) as temporary) t on true ${keepModel} ${addFurtherFiles} ${placeInProject} ${beginWithAssistant}`;
}

/** Returns the person's own attachments in the order of `ids`; others are left out. */
export const ownAttachments = (db: Database, userId: string, ids: string[]) =>
  db.rows<Pick<Attachment, 'kind' | 'name'>>(sql`
    select ${shownKind} as kind, a.name from unnest(${ids}::uuid[]) with ordinality as asked(id, place)
      join attachments a on a.id = asked.id and a.user_id = ${userId} order by asked.place`);

export const findReply = (db: Database, sessionId: string, id: string) =>
  db.row<Pick<MessageRow, 'parent_id' | 'content' | 'state' | 'finish_reason'>>(sql`
    select m.parent_id, m.content, g.state, g.finish_reason
      from chat_messages m join generations g on g.id = m.generation_id
     where m.id = ${id} and m.session_id = ${sessionId}`);

/** The caller must have checked that the chat is the person's own. */
export const storedQuestion = (db: Database, id: string) =>
  db.row<{ content: string; files: boolean }>(sql`
    select m.content, exists (select 1 from message_attachments f where f.message_id = m.id) as files
      from chat_messages m where m.id = ${id}`);

export interface HistoryMessage {
  role: 'user' | 'assistant';
  content: string;
  /** Position in the branch, from 1. */
  depth: number;
  attachments: SentFile[];
  /** How many images it shows, or showed before they were deleted. */
  images?: number;
}

interface HistoryBounds {
  bytes: number;
  perMessage: number;
  perPicture: number;
  maxFilesText: number;
}

/**
 * Returns the branch newest first: enough messages to fill `bytes` and, if there are more, at least one above them.
 * `perMessage` and `perPicture` are the bytes counted for a message or image besides its text; `maxFilesText` is the
 * most that is counted for the documents of one message.
 */
export function recentHistory(
  db: Database,
  { sessionId, messageId }: { sessionId: string; messageId: string },
  { bytes, perMessage, perPicture, maxFilesText }: HistoryBounds,
): Promise<Array<HistoryMessage & { assistant: string }>> {
  return db.rows(sql`
    with recursive up as (
      select m.id, m.parent_id, 0::bigint as below from chat_messages m
       where m.id = ${messageId} and m.session_id = ${sessionId}
      union all
      select m.parent_id, p.parent_id, up.below + cost.bytes
        from up join chat_messages m on m.id = up.id
        cross join lateral (
          select count(*) filter (where a.kind = 'image') as pictures, coalesce(sum(octet_length(a.text)), 0) as text
            from message_attachments f join attachments a on a.id = f.attachment_id where f.message_id = m.id) as files
        cross join lateral (
          select case when m.content = '' and files.pictures = 0 and files.text = 0 then 0
                      else octet_length(m.content) + ${perMessage}::bigint + files.pictures * ${perPicture}::bigint
                         + least(files.text, ${maxFilesText}::bigint)
                 end as bytes) as cost
        join chat_messages p on p.id = m.parent_id
       where up.below < ${bytes})
    select m.role, m.content, m.depth, s.assistant,
           (select count(*)::int from image_pictures p where p.job_id = coalesce(m.drawn_by, m.generation_id)) as images,
           (select coalesce(json_agg(json_build_object('id', a.id, 'kind', a.kind, 'name', a.name,
                                                       'textBytes', octet_length(a.text)) order by f.position), '[]')
              from message_attachments f join attachments a on a.id = f.attachment_id where f.message_id = m.id) as attachments
      from up join chat_messages m on m.id = up.id join chat_sessions s on s.id = m.session_id
     order by m.depth desc`);
}

export async function textSoFar(db: Database, generationId: string): Promise<string> {
  const row = await db.row<{ content: string }>(sql`
    select content from chat_messages where generation_id = ${generationId}`);
  return row?.content ?? '';
}

export interface LeftOutOfReply {
  /** How many messages at the start of the chat. */
  messages: number;
  files: FileLeftOut[];
}

/** Stores what the page shows about a reply's request. */
export async function saveLeftOut(
  db: Database,
  generationId: string,
  { messages, files, assistant }: LeftOutOfReply & { assistant: string | null },
): Promise<void> {
  await db.run(sql`
    update chat_messages set left_out = ${messages}, files_left_out = ${files.length > 0 ? JSON.stringify(files) : null}::jsonb,
           assistant_name = ${assistant}
     where generation_id = ${generationId}`);
}

export interface StoredReply {
  /** `title_source` of its chat; null if the chat was deleted meanwhile. */
  title_source: string | null;
}

export function replyStatement(closing: Statement, generationId: string, text: string): Statement {
  return sql`
    with c as materialized (${closing}), m as (
      update chat_messages set content = content || ${text}::text from c where generation_id = ${generationId} returning session_id), s as (
      update chat_sessions set updated_at = app_now() from m where id = m.session_id
      returning case when deleted_at is null then title_source end as title_source)
    select c.*, s.title_source from c left join s on true`;
}
