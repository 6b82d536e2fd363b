import type { LeftOut } from '../contract.ts';
import { type Fields, idOf, listOf, objectOf, textOf, timeOf } from './field-values.ts';
import type { ReadChat, ReadFile } from './import-protocol.ts';
import { cutName, FILES_OF_MESSAGE } from './message-bounds.ts';
import { messagesOf, type TreeNode } from './message-tree.ts';

/**
 * Returns the extracted text of an attachment as a text file; null if the export has none. The text of a PDF becomes a
 * `.txt` file.
 */
function textFile(file: Fields, id: string, at: number | null): ReadFile | null {
  const [name, content] = [cutName(textOf(file.file_name)) || 'file.txt', textOf(file.extracted_content)];
  if (content.trim() === '') return null;
  const isText = /\.(?:txt|md|csv|json|xml|html|ya?ml|log|tex|[jt]sx?|py|css|sql|sh)$/i.test(name);
  return { id, name: isText ? name : `${name}.txt`, createdAt: at, content };
}

const ofTools = /^(?:tool_use|tool_result|server_tool_use|web_search_tool_result)$/;

function nodeOf(
  message: Fields,
  id: string,
  parentId: string | null,
  { count, files }: { count: (kind: keyof LeftOut) => void; files: ReadFile[] },
): TreeNode {
  const texts: string[] = [];
  const other: string[] = [];
  let images = 0;
  for (const block of listOf(message.content).map(objectOf)) {
    const kind = textOf(block.type);
    if (kind === 'text') texts.push(textOf(block.text));
    else if (kind === 'image') images++;
    else if (kind === 'thinking' || kind === 'redacted_thinking') count('thinking');
    else if (ofTools.test(kind)) count('tools');
    else if (kind !== '' && kind !== 'token_budget' && kind !== 'flag') other.push(kind);
  }
  // Older exports have no content blocks.
  if (texts.length === 0) texts.push(textOf(message.text));
  const at = timeOf(message.created_at);
  const sent = listOf(message.attachments).map(objectOf);
  const read = sent.map((file, place) =>
    place < FILES_OF_MESSAGE ? textFile(file, `${id}/${place}`, at) : null,
  );
  const own = read.filter((file) => file !== null);
  const names = [...sent.filter((_, place) => !read[place]), ...listOf(message.files).map(objectOf)].map(
    (file) => textOf(file.file_name) || 'file',
  );
  const text = texts.filter((part) => part.trim() !== '').join('\n\n');
  const sender = textOf(message.sender);
  const role = sender === 'human' ? 'user' : sender === 'assistant' ? 'assistant' : null;
  const isEmpty = text === '' && images + own.length + names.length + other.length === 0;
  if (role === null && !isEmpty) count('hidden');
  if (role !== null) files.push(...own);
  return {
    id,
    parentId,
    role: isEmpty ? null : role,
    text,
    at,
    images,
    files: names,
    other,
    attachments: own.map((file) => file.id),
  };
}

export const isClaudeChat = (fields: Fields): boolean => Array.isArray(fields.chat_messages);

/**
 * Reads a chat from a Claude export. In older exports without parent ids, each message follows the previous one.
 * @throws BadTree
 */
export function readClaudeChat(fields: Fields, count: (kind: keyof LeftOut) => void): ReadChat | null {
  const sourceId = idOf(fields.uuid);
  if (sourceId === null) return null;
  const messages = listOf(fields.chat_messages).map(objectOf);
  const nodes = new Map<string, TreeNode>();
  const files: ReadFile[] = [];
  const isTree = messages.some((message) => idOf(message.parent_message_uuid) !== null);
  let last: string | null = null;
  for (const [at, message] of messages.entries()) {
    const id: string = idOf(message.uuid) ?? `#${at}`;
    const parentId: string | null = isTree ? idOf(message.parent_message_uuid) : last;
    if (nodes.has(id)) continue;
    nodes.set(id, nodeOf(message, id, parentId, { count, files }));
    last = id;
  }
  return {
    source: 'claude',
    sourceId,
    title: textOf(fields.name),
    assistant: null,
    createdAt: timeOf(fields.created_at),
    updatedAt: timeOf(fields.updated_at),
    archivedAt: null,
    texts: files,
    ...messagesOf(nodes, idOf(fields.current_leaf_message_uuid)),
  };
}
