import { type Statement, sql } from '#platform/database/sql.server.ts';

/** A chat and, if it is new, the project and own assistant that it starts with. */
export interface ChatOfReply {
  chatId: string;
  newProjectId: string | null;
  newAssistantId: string | null;
}

/** SQL expression for the statement that starts a reply: the id of the chat's project, or null. */
export const chatProjectId = ({ chatId, newProjectId }: ChatOfReply): Statement =>
  sql`coalesce((select s.project_id from chat_sessions s where s.id = ${chatId}), ${newProjectId}::uuid)`;

/** Like `chatProjectId`: the id of the chat's own assistant. */
export const chatAssistantId = ({ chatId, newAssistantId }: ChatOfReply): Statement =>
  sql`coalesce((select s.own_assistant_id from chat_sessions s where s.id = ${chatId}), ${newAssistantId}::uuid)`;
