import { type AppliedInstructions, appliedInstructions } from '#features/accounts/service.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import { shownKind } from '../attachments/attachment-store.server.ts';
import type { Attachment } from '../contract.ts';
import type { KnowledgeFile } from '../knowledge/fit-knowledge.server.ts';
import { knowledgeOfChat } from '../knowledge/knowledge-store.server.ts';
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
  /** The chat's own one. */
  assistant: AppliedAssistant | null;
  /** Of the chat's assistant and project. */
  knowledge: KnowledgeFile[];
  temporary: boolean;
}

/** Of an own assistant; its model where that is offered. */
export interface BegunWith {
  id: string;
  model: string | null;
}

export interface SendRow {
  userId: string;
  chatId: string;
  create: string | null;
  /** Of a chat that begins. */
  temporary: boolean;
  /** Of a chat that begins. */
  projectId: string | null;
  /** Of a chat that begins. */
  own: BegunWith | null;
  replyId: string;
  /** Kept for the chat; undefined where the page offers no choice, and for another version of a reply. */
  model: string | null | undefined;
  /** The second one, which is kept with it. */
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
  const kept =
    model === undefined
      ? sql``
      : sql`left join lateral (
        select keep_chat_model(a.verdict = 'admitted', w.session_id, ${model}, ${row.compared}) as kept) k on true`;
  const placed =
    row.projectId === null
      ? sql``
      : sql`left join lateral (
        select place_in_project(w.is_new, w.session_id, ${row.userId}, ${row.projectId}) as project_id) p on true`;
  const chat = { chatId: row.chatId, newIn: row.projectId, newWith: row.own?.id ?? null };
  const project = instructionsOfProject(row.userId, chat);
  const begun =
    row.own === null
      ? sql``
      : sql`left join lateral (
        select begin_with_assistant(w.is_new, w.session_id, ${row.userId}, ${row.own.id}, ${model === undefined ? row.own.model : null}) as assistant_id) b on true`;
  const further =
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
            or coalesce((select s.temporary from chat_sessions s where s.id = w.session_id), false) as temporary) t on true ${kept} ${further} ${placed} ${begun}`;
}

/** In the order of `ids`; without those that are not the person's. */
export const ownAttachments = (db: Database, userId: string, ids: string[]) =>
  db.rows<Pick<Attachment, 'kind' | 'name'>>(sql`
    select ${shownKind} as kind, a.name from unnest(${ids}::uuid[]) with ordinality as asked(id, place)
      join attachments a on a.id = asked.id and a.user_id = ${userId} order by asked.place`);

export const findReply = (db: Database, sessionId: string, id: string) =>
  db.row<Pick<MessageRow, 'parent_id' | 'content' | 'state' | 'finish_reason'>>(sql`
    select m.parent_id, m.content, g.state, g.finish_reason
      from chat_messages m join generations g on g.id = m.generation_id
     where m.id = ${id} and m.session_id = ${sessionId}`);

/** The caller has proven the chat. */
export const storedQuestion = (db: Database, id: string) =>
  db.row<{ content: string; files: boolean }>(sql`
    select m.content, exists (select 1 from message_attachments f where f.message_id = m.id) as files
      from chat_messages m where m.id = ${id}`);
