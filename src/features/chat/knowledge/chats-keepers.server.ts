import { type Statement, sql } from '#platform/database/sql.server.ts';

/** A chat and, if it is new, the project and own assistant that it starts with. */
export interface BegunChat {
  chatId: string;
  newIn: string | null;
  newWith: string | null;
}

/** SQL expression for the statement that starts a reply: the id of the chat's project, or null. */
export const chatsProject = ({ chatId, newIn }: BegunChat): Statement =>
  sql`coalesce((select s.project_id from chat_sessions s where s.id = ${chatId}), ${newIn}::uuid)`;

/** Like `chatsProject`: the id of the chat's own assistant. */
export const chatsAssistant = ({ chatId, newWith }: BegunChat): Statement =>
  sql`coalesce((select s.own_assistant_id from chat_sessions s where s.id = ${chatId}), ${newWith}::uuid)`;
