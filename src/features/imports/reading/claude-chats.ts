import type { LeftOut } from '../contract.ts';
import { type Fields, idOf, listOf, objectOf, textOf, timeOf } from './field-values.ts';
import type { ReadChat } from './import-protocol.ts';
import { messagesOf, type TreeNode } from './message-tree.ts';

/** What was sent with a message: its words, where the file has them. */
function attachmentText(file: Fields): string {
  const [name, content] = [textOf(file.file_name), textOf(file.extracted_content).trim()];
  if (content === '') return '';
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = '`'.repeat(longest + 1);
  return `${name ? `**${name.replace(/[*_`[\]\\<>]/g, ' ').trim()}**\n\n` : ''}${fence}\n${content}\n${fence}`;
}

const ofTools = /^(?:tool_use|tool_result|server_tool_use|web_search_tool_result)$/;

function nodeOf(
  message: Fields,
  id: string,
  parentId: string | null,
  count: (kind: keyof LeftOut) => void,
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
  // Of exports from before there were blocks.
  if (texts.length === 0) texts.push(textOf(message.text));
  const attachments = listOf(message.attachments).map(objectOf);
  const read = attachments.map(attachmentText);
  const names = [
    ...attachments.filter((_, at) => read[at] === ''),
    ...listOf(message.files).map(objectOf),
  ].map((file) => textOf(file.file_name) || 'file');
  const text = [...read, ...texts].filter((part) => part.trim() !== '').join('\n\n');
  const sender = textOf(message.sender);
  const role = sender === 'human' ? 'user' : sender === 'assistant' ? 'assistant' : null;
  const isEmpty = text === '' && images + names.length + other.length === 0;
  if (role === null && !isEmpty) count('hidden');
  return {
    id,
    parentId,
    role: isEmpty ? null : role,
    text,
    at: timeOf(message.created_at),
    images,
    files: names,
    other,
  };
}

export const isClaudeChat = (fields: Fields): boolean => Array.isArray(fields.chat_messages);

/** A message without the one that it follows, as older exports have them, follows the one before it. @throws BadTree */
export function readClaudeChat(fields: Fields, count: (kind: keyof LeftOut) => void): ReadChat | null {
  const sourceId = idOf(fields.uuid);
  if (sourceId === null) return null;
  const messages = listOf(fields.chat_messages).map(objectOf);
  const nodes = new Map<string, TreeNode>();
  const isTree = messages.some((message) => idOf(message.parent_message_uuid) !== null);
  let last: string | null = null;
  for (const [at, message] of messages.entries()) {
    const id: string = idOf(message.uuid) ?? `#${at}`;
    const parentId: string | null = isTree ? idOf(message.parent_message_uuid) : last;
    if (nodes.has(id)) continue;
    nodes.set(id, nodeOf(message, id, parentId, count));
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
    ...messagesOf(nodes, idOf(fields.current_leaf_message_uuid)),
  };
}
