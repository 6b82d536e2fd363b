import { failureText } from '#features/generations/service.server.ts';
import { locale, m } from '#messages';
import type { ExportFile } from '#platform/data-export.server.ts';
import { createDownload, type Download, downloadName } from '#platform/file-formats/download.server.ts';
import { archiveOf } from '#platform/file-formats/zip-archive.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { messageFormat } from '#shared/message-format.ts';
import { slugOf } from '#shared/slug.ts';
import { chatLimits, shownTitle, type WebSource } from './contract.ts';
import { type ChatExport, exportChat, exportOwnChats } from './privacy.server.ts';
import type { MessageExportRow } from './privacy-store.server.ts';
import { sourceLine } from './source-line.ts';

const timeText = (date: Date) =>
  messageFormat.date(locale(), date, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const inCode = (name: string) => `\`${name.replaceAll('`', '’')}\``;

const sourceList = (sources: readonly WebSource[]): string =>
  [`**${m.chat_sources()}**`, ...sources.map(sourceLine)].join('\n\n');

export async function* chatMarkdown(chat: ChatExport): AsyncGenerator<string> {
  yield `# ${shownTitle(chat.title).replace(/\s+/g, ' ')}\n\n${m.chat_export_started({ when: timeText(chat.created_at) })}\n`;
  for await (const { role, content, created_at, files, sources, drawn } of chat.shownMessages()) {
    const when = timeText(created_at);
    yield `\n## ${role === 'user' ? m.chat_export_you({ when }) : m.chat_export_assistant({ when })}\n\n`;
    for (const name of files) yield `${m.chat_export_attached({ name: inCode(name) })}\n\n`;
    if (drawn) yield `*${m.chat_draw_export()}*\n`;
    else yield `${content}\n`;
    if (sources.length > 0) yield `\n${sourceList(sources)}\n`;
  }
}

export const imageIdsOf = ({ images }: Pick<MessageExportRow, 'images'>) =>
  images?.pictures.map(({ id }) => id) ?? [];

function exportedMessage(row: MessageExportRow) {
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    content: row.content,
    createdAt: row.created_at.toISOString(),
    state: row.state ?? 'done',
    finishReason: row.finish_reason,
    error: failureText(row.error_message),
    creditsCharged: row.credits_charged ?? 0,
    model: row.model,
    thinking: row.thinking,
    thoughtMs: row.thought_ms,
    web: row.web,
    takenOver: row.taken_over,
    leftOut: row.left_out,
    filesLeftOut: row.files_left_out ?? [],
    assistantName: row.assistant_name,
    attachments: row.attachments,
    imageIds: imageIdsOf(row),
  };
}

async function* chatJson(chat: ChatExport): AsyncGenerator<string> {
  const { id, title, assistant, shown_id, created_at, updated_at } = chat;
  const metadata = {
    id,
    title,
    assistant,
    createdAt: created_at,
    updatedAt: updated_at,
    exportedAt: new Date(),
  };
  yield `${JSON.stringify(metadata).slice(0, -1)},"messages":[`;
  let comma = '';
  for await (const row of chat.messages()) {
    yield `${comma}\n${JSON.stringify(exportedMessage(row))}`;
    comma = ',';
  }
  yield `\n],"shown":${JSON.stringify(shown_id)}}\n`;
}

/** UTF-16 units. Small parts are joined, because each part costs a turn of the stream. */
const CHUNK_UNITS = 64 * 1024;

async function* inChunks(parts: AsyncGenerator<string>): AsyncGenerator<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length < CHUNK_UNITS) continue;
    yield text;
    text = '';
  }
  yield text;
}

const renderers = { md: chatMarkdown, json: chatJson };

/** Contains the whole id, because clients may choose ids and a prefix might not be unique. */
export const chatFileName = (
  { id, title, created_at }: Pick<ChatExport, 'id' | 'title' | 'created_at'>,
  format: keyof typeof renderers,
) => `${created_at.toISOString().slice(0, 10)}-${slugOf(title, 'chat')}-${id}.${format}`;

async function* chatFiles(chats: ChatExport[], format: keyof typeof renderers): AsyncGenerator<ExportFile> {
  for (const chat of chats)
    yield { name: chatFileName(chat, format), content: inChunks(renderers[format](chat)) };
}

export async function chatFile({ actor, input }: ActorInput<{ id: string }>): Promise<ExportFile> {
  const chat = requireFound(await exportChat({ actor, input: { id: requireUuid(input.id) } }));
  return { name: `chats/${chatFileName(chat, 'md')}`, content: inChunks(chatMarkdown(chat)) };
}

/** Returns an archive with one file per chat. */
export async function downloadChats({
  actor,
  input: { ids, format },
}: ActorInput<{ ids: string[]; format: string }>): Promise<Download<AsyncIterable<Buffer>>> {
  const requestedIds = [...new Set(ids.map((id) => requireUuid(id).toLowerCase()))];
  if (requestedIds.length > chatLimits.selected)
    throw new Problem('bad_request', m.request_field({ field: 'ids' }));
  const chats = await exportOwnChats({ actor, input: { ids: requestedIds } });
  if (chats.length < requestedIds.length) throw notFound();
  const title = m.chat_export_several({ count: chats.length });
  const { content } = await createDownload({
    userId: actor.userId,
    title,
    format,
    formats: ['md', 'json'],
    make: (knownFormat) => archiveOf(chatFiles(chats, knownFormat)),
  });
  return { name: downloadName(title, 'zip'), type: 'application/zip', content };
}

export async function downloadChat({
  actor,
  input: { id, format },
}: ActorInput<{ id: string; format: string }>): Promise<Download<AsyncIterable<string>>> {
  const chat = requireFound(await exportChat({ actor, input: { id: requireUuid(id) } }));
  return createDownload({
    userId: actor.userId,
    title: chat.title,
    format,
    formats: ['md', 'json'],
    make: (knownFormat) => inChunks(renderers[knownFormat](chat)),
  });
}
