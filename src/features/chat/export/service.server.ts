import { validate as isUuid } from 'uuid';
import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { oneChat, type WholeChat } from '../person/service.server.ts';
import type { WrittenRow } from '../person/store.server.ts';
import { ownSession } from '../store.server.ts';

const LIMIT = { max: 60, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded many chats in the last hour. Please wait a while.';

const iso = (date: Date) => date.toISOString();

/** A name within backticks, which can hold none. */
const named = (name: string) => `\`${name.replaceAll('`', '’')}\``;

/** The branch of a chat that the page shows, as Markdown: each turn under its heading, its text as it stands. */
export async function* chatMarkdown(chat: WholeChat): AsyncGenerator<string> {
  yield `# ${chat.title.replace(/\s+/g, ' ')}\n\nBegun ${iso(chat.created_at)}\n`;
  for await (const { role, content, created_at, file } of chat.shown()) {
    yield `\n## ${role === 'user' ? 'You' : 'Assistant'}, ${iso(created_at)}\n\n`;
    if (file !== null) yield `Attached: ${named(file)}\n\n`;
    yield `${content}\n`;
  }
}

function messageOf(row: WrittenRow) {
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    content: row.content,
    createdAt: iso(row.created_at),
    state: row.state ?? 'done',
    finishReason: row.finish_reason,
    error: row.error_message,
    creditsCharged: row.credits_charged ?? 0,
    model: row.model,
    takenOver: row.taken_over,
    leftOut: row.left_out,
    attachment: row.attachment,
  };
}

/** A chat with the messages of all branches in the order of their writing; `shown` ends the branch that the page shows. */
async function* chatJson(chat: WholeChat): AsyncGenerator<string> {
  const { id, title, assistant, shown_id, created_at, updated_at } = chat;
  const times = { createdAt: iso(created_at), updatedAt: iso(updated_at), exportedAt: iso(new Date()) };
  yield `${JSON.stringify({ id, title, assistant, ...times }).slice(0, -1)},"messages":[`;
  let comma = '';
  for await (const row of chat.messages()) {
    yield `${comma}\n${JSON.stringify(messageOf(row))}`;
    comma = ',';
  }
  yield `\n],"shown":${JSON.stringify(shown_id)}}\n`;
}

const formats: Record<string, { type: string; partsOf(chat: WholeChat): AsyncGenerator<string> }> = {
  md: { type: 'text/markdown; charset=utf-8', partsOf: chatMarkdown },
  json: { type: 'application/json; charset=utf-8', partsOf: chatJson },
};

export interface ChatDownload {
  /** Of the file, as it may stand in a header by `contentDisposition`. */
  name: string;
  type: string;
  /** Made page by page as they are taken. */
  parts: AsyncIterable<string>;
}

/**
 * A chat as a file: `md` is the branch that the page shows, `json` everything.
 * @throws Problem not_found, bad_request for another format, rate_limited.
 */
export async function downloadChat({
  actor,
  input: { id, format },
}: {
  actor: UserActor;
  input: { id: string; format: string };
}): Promise<ChatDownload> {
  if (!isUuid(id) || !(await ownSession(database(), actor.userId, id))) throw notFound();
  const wanted = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!wanted) throw new Problem('bad_request', 'The format is md or json.');
  await enforceLimit(`chat-export:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const chat = await oneChat({ actor, input: { id } });
  if (!chat) throw notFound();
  const title = chat.title.replace(/[\\/:*?"<>|]+/g, '-');
  return {
    name: `${cleanFileName(title)}.${format}`,
    type: wanted.type,
    parts: wanted.partsOf(chat),
  };
}
