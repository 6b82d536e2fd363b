import type { LeftOut } from '../contract.ts';
import { asId, asList, asObject, asText, asTime, type Fields } from './field-values.ts';
import type { ParsedChat, ParsedFile } from './import-protocol.ts';
import { cutName, MAX_FILES_PER_MESSAGE } from './message-bounds.ts';
import { messagesOf, type TreeNode } from './message-tree.ts';

/**
 * Returns the extracted text of an attachment as a text file; null if the export has none. The text of a PDF becomes a
 * `.txt` file.
 */
function textFile(file: Fields, id: string, at: number | null): ParsedFile | null {
  const [name, content] = [cutName(asText(file.file_name)) || 'file.txt', asText(file.extracted_content)];
  if (content.trim() === '') return null;
  const isText = /\.(?:txt|md|csv|json|xml|html|ya?ml|log|tex|[jt]sx?|py|css|sql|sh)$/i.test(name);
  return { id, name: isText ? name : `${name}.txt`, createdAt: at, content };
}

const toolTypes = /^(?:tool_use|tool_result|server_tool_use|web_search_tool_result)$/;

function nodeOf(
  message: Fields,
  id: string,
  parentId: string | null,
  { count, files }: { count: (kind: keyof LeftOut) => void; files: ParsedFile[] },
): TreeNode {
  const texts: string[] = [];
  const other: string[] = [];
  let images = 0;
  for (const block of asList(message.content).map(asObject)) {
    const kind = asText(block.type);
    if (kind === 'text') texts.push(asText(block.text));
    else if (kind === 'image') images++;
    else if (kind === 'thinking' || kind === 'redacted_thinking') count('thinking');
    else if (toolTypes.test(kind)) count('tools');
    else if (kind !== '' && kind !== 'token_budget' && kind !== 'flag') other.push(kind);
  }
  // Older exports have no content blocks.
  if (texts.length === 0) texts.push(asText(message.text));
  const at = asTime(message.created_at);
  const sentFiles = asList(message.attachments).map(asObject);
  const converted = sentFiles.map((file, index) =>
    index < MAX_FILES_PER_MESSAGE ? textFile(file, `${id}/${index}`, at) : null,
  );
  const textFiles = converted.filter((file) => file !== null);
  const names = [
    ...sentFiles.filter((_, index) => !converted[index]),
    ...asList(message.files).map(asObject),
  ].map((file) => asText(file.file_name) || 'file');
  const text = texts.filter((part) => part.trim() !== '').join('\n\n');
  const sender = asText(message.sender);
  const role = sender === 'human' ? 'user' : sender === 'assistant' ? 'assistant' : null;
  const isEmpty = text === '' && images + textFiles.length + names.length + other.length === 0;
  if (role === null && !isEmpty) count('hidden');
  if (role !== null) files.push(...textFiles);
  return {
    id,
    parentId,
    role: isEmpty ? null : role,
    text,
    at,
    images,
    files: names,
    other,
    attachments: textFiles.map((file) => file.id),
  };
}

export const isClaudeChat = (fields: Fields): boolean => Array.isArray(fields.chat_messages);

/**
 * Reads a chat from a Claude export. In older exports without parent ids, each message follows the previous one.
 * @throws InvalidTree
 */
export function readClaudeChat(fields: Fields, count: (kind: keyof LeftOut) => void): ParsedChat | null {
  const sourceId = asId(fields.uuid);
  if (sourceId === null) return null;
  const messages = asList(fields.chat_messages).map(asObject);
  const nodes = new Map<string, TreeNode>();
  const files: ParsedFile[] = [];
  const isTree = messages.some((message) => asId(message.parent_message_uuid) !== null);
  let last: string | null = null;
  for (const [at, message] of messages.entries()) {
    const id: string = asId(message.uuid) ?? `#${at}`;
    const parentId: string | null = isTree ? asId(message.parent_message_uuid) : last;
    if (nodes.has(id)) continue;
    nodes.set(id, nodeOf(message, id, parentId, { count, files }));
    last = id;
  }
  return {
    source: 'claude',
    sourceId,
    title: asText(fields.name),
    assistant: null,
    createdAt: asTime(fields.created_at),
    updatedAt: asTime(fields.updated_at),
    archivedAt: null,
    texts: files,
    ...messagesOf(nodes, asId(fields.current_leaf_message_uuid)),
  };
}
