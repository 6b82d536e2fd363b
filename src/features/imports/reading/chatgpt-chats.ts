import type { LeftOut } from '../contract.ts';
import { type Fields, idOf, isObject, listOf, objectOf, textOf, timeOf } from './field-values.ts';
import type { ReadChat } from './import-protocol.ts';
import { messagesOf, type TreeNode } from './message-tree.ts';

/** Markers for sources and widgets in a text, which only ChatGPT can show. */
const marks = /\ue200[^\ue201]{0,2000}\ue201/g;

type Content = Pick<TreeNode, 'text' | 'images' | 'files' | 'other' | 'attachments'>;

/** Whether the imported file contains the file with this id. */
export type HoldsFile = (id: string) => boolean;

const noContent = (): Content => ({ text: '', images: 0, files: [], other: [], attachments: [] });

/** Returns the file id from an address like `file-service://file-…` or `sediment://file_…`, or an empty string. */
const idOfPointer = (pointer: string) => /:\/\/(file[-_][A-Za-z0-9]{1,64})$/.exec(pointer)?.[1] ?? '';

function partsOf(content: Fields, holds: HoldsFile): Content {
  const found = noContent();
  const texts: string[] = [];
  for (const part of listOf(content.parts)) {
    if (typeof part === 'string') texts.push(textOf(part));
    else if (isObject(part)) {
      const kind = textOf(part.content_type);
      const id = idOfPointer(textOf(part.asset_pointer));
      if (kind === 'image_asset_pointer' && holds(id)) found.attachments.push(id);
      else if (kind === 'image_asset_pointer') found.images++;
      else if (typeof part.text === 'string') texts.push(textOf(part.text));
      else found.other.push(kind || 'unknown');
    }
  }
  found.text = texts.filter((text) => text.trim() !== '').join('\n\n');
  return found;
}

/** Wraps code in a fence that is longer than any run of backquotes in it. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#-]{1,20}$/.test(language) ? language : ''}\n${code}\n${fence}`;
}

const ofTools = /^(?:execution_output|computer_output|system_error|tether_|sonic_|app_)/;
const ofContext = /^(?:user_editable_context|model_editable_context)$/;
const ofThoughts = /^(?:thoughts|reasoning_recap)$/;

function contentOf(content: Fields, holds: HoldsFile): Content | 'tools' | 'thinking' | 'hidden' {
  const kind = textOf(content.content_type);
  if (ofThoughts.test(kind)) return 'thinking';
  if (ofContext.test(kind)) return 'hidden';
  if (ofTools.test(kind)) return 'tools';
  if (Array.isArray(content.parts)) return partsOf(content, holds);
  const text = textOf(content.text);
  if (kind === 'code' && text) return { ...noContent(), text: fenced(text, textOf(content.language)) };
  return { ...noContent(), text, other: text === '' && kind !== '' ? [kind] : [] };
}

/** Files sent with a message, without images, which are among the message's parts. */
const filesOf = (metadata: Fields): Fields[] =>
  listOf(metadata.attachments)
    .map(objectOf)
    .filter((file) => !textOf(file.mime_type).startsWith('image/'));

const isBlank = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isBlank)
    : value === null || (typeof value === 'string' && value.trim() === '');

const hasContent = ({ content_type: _, ...content }: Fields) => !Object.values(content).every(isBlank);

function nodeOf(
  id: string,
  fields: Fields,
  count: (kind: keyof LeftOut) => void,
  holds: HoldsFile,
): TreeNode {
  const parentId = idOf(fields.parent);
  const message = objectOf(fields.message);
  const [author, content, metadata] = [message.author, message.content, message.metadata].map(objectOf) as [
    Fields,
    Fields,
    Fields,
  ];
  const at = timeOf(message.create_time);
  const unseen: TreeNode = {
    id,
    parentId,
    role: null,
    at,
    ...noContent(),
  };
  const role = textOf(author.role);
  const skip = (kind: keyof LeftOut) => {
    if (hasContent(content)) count(kind);
    return unseen;
  };
  if (role === 'tool') {
    // Images that ChatGPT generated.
    const { images } = partsOf(content, () => false);
    if (images === 0) return skip('tools');
    return { ...unseen, role: 'assistant', images };
  }
  if (metadata.is_visually_hidden_from_conversation === true) return skip('hidden');
  if (role !== 'user' && role !== 'assistant') return skip('hidden');
  const recipient = textOf(message.recipient);
  if (role === 'assistant' && recipient !== '' && recipient !== 'all') return skip('tools');
  // Only questions have attachments on this site.
  const read = contentOf(content, role === 'user' ? holds : () => false);
  if (typeof read === 'string') {
    count(read);
    return unseen;
  }
  const sent = filesOf(metadata);
  if (read.text === '' && read.images + read.other.length + read.attachments.length + sent.length === 0)
    return unseen;
  const isHeld = (file: Fields) => role === 'user' && holds(textOf(file.id));
  return {
    ...unseen,
    ...read,
    role,
    text: read.text.replace(marks, ''),
    files: sent.filter((file) => !isHeld(file)).map((file) => textOf(file.name) || 'file'),
    attachments: [...read.attachments, ...sent.filter(isHeld).map((file) => textOf(file.id))],
  };
}

/** Sorts messages without a time last; `messagesOf` still puts them before their replies. */
const LAST = Number.MAX_SAFE_INTEGER;

export const isChatgptChat = (fields: Fields): boolean => isObject(fields.mapping);

/** @throws BadTree */
export function readChatgptChat(
  fields: Fields,
  count: (kind: keyof LeftOut) => void,
  holds: HoldsFile = () => false,
): ReadChat | null {
  const sourceId = idOf(fields.conversation_id) ?? idOf(fields.id);
  if (sourceId === null) return null;
  const found = Object.entries(objectOf(fields.mapping)).map(([id, node]) =>
    nodeOf(id, objectOf(node), count, holds),
  );
  // Older files have no meaningful order in `mapping`.
  const nodes = new Map(
    found.sort((one, other) => (one.at ?? LAST) - (other.at ?? LAST)).map((node) => [node.id, node]),
  );
  return {
    source: 'chatgpt',
    sourceId,
    title: textOf(fields.title),
    assistant: null,
    createdAt: timeOf(fields.create_time),
    updatedAt: timeOf(fields.update_time),
    archivedAt: fields.is_archived === true ? timeOf(fields.update_time) : null,
    ...messagesOf(nodes, idOf(fields.current_node)),
  };
}
