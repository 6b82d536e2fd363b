import type { LeftOut } from '../contract.ts';
import { asId, asList, asObject, asText, asTime, type Fields, isObject } from './field-values.ts';
import type { ParsedChat } from './import-protocol.ts';
import { messagesOf, type TreeNode } from './message-tree.ts';

/** Markers for sources and widgets in a text, which only ChatGPT can show. */
const markers = /\ue200[^\ue201]{0,2000}\ue201/g;

type Content = Pick<TreeNode, 'text' | 'images' | 'files' | 'other' | 'attachments'>;

/** Whether the imported file contains the file with this id. */
export type HasFile = (id: string) => boolean;

const emptyContent = (): Content => ({ text: '', images: 0, files: [], other: [], attachments: [] });

/** Returns the file id from an address like `file-service://file-…` or `sediment://file_…`, or an empty string. */
const idOfPointer = (pointer: string) => /:\/\/(file[-_][A-Za-z0-9]{1,64})$/.exec(pointer)?.[1] ?? '';

function partsOf(content: Fields, hasFile: HasFile): Content {
  const result = emptyContent();
  const texts: string[] = [];
  for (const part of asList(content.parts)) {
    if (typeof part === 'string') texts.push(asText(part));
    else if (isObject(part)) {
      const kind = asText(part.content_type);
      const id = idOfPointer(asText(part.asset_pointer));
      if (kind === 'image_asset_pointer' && hasFile(id)) result.attachments.push(id);
      else if (kind === 'image_asset_pointer') result.images++;
      else if (typeof part.text === 'string') texts.push(asText(part.text));
      else result.other.push(kind || 'unknown');
    }
  }
  result.text = texts.filter((text) => text.trim() !== '').join('\n\n');
  return result;
}

/** Wraps code in a fence that is longer than any run of backquotes in it. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${/^[\w+#-]{1,20}$/.test(language) ? language : ''}\n${code}\n${fence}`;
}

const toolTypes = /^(?:execution_output|computer_output|system_error|tether_|sonic_|app_)/;
const contextTypes = /^(?:user_editable_context|model_editable_context)$/;
const thoughtTypes = /^(?:thoughts|reasoning_recap)$/;

function contentOf(content: Fields, hasFile: HasFile): Content | 'tools' | 'thinking' | 'hidden' {
  const kind = asText(content.content_type);
  if (thoughtTypes.test(kind)) return 'thinking';
  if (contextTypes.test(kind)) return 'hidden';
  if (toolTypes.test(kind)) return 'tools';
  if (Array.isArray(content.parts)) return partsOf(content, hasFile);
  const text = asText(content.text);
  if (kind === 'code' && text) return { ...emptyContent(), text: fenced(text, asText(content.language)) };
  return { ...emptyContent(), text, other: text === '' && kind !== '' ? [kind] : [] };
}

/** Files sent with a message, without images, which are among the message's parts. */
const filesOf = (metadata: Fields): Fields[] =>
  asList(metadata.attachments)
    .map(asObject)
    .filter((file) => !asText(file.mime_type).startsWith('image/'));

const isBlank = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isBlank)
    : value === null || (typeof value === 'string' && value.trim() === '');

const hasContent = ({ content_type: _, ...content }: Fields) => !Object.values(content).every(isBlank);

function nodeOf(
  id: string,
  fields: Fields,
  count: (kind: keyof LeftOut) => void,
  hasFile: HasFile,
): TreeNode {
  const parentId = asId(fields.parent);
  const message = asObject(fields.message);
  const [author, content, metadata] = [message.author, message.content, message.metadata].map(asObject) as [
    Fields,
    Fields,
    Fields,
  ];
  const at = asTime(message.create_time);
  const hiddenNode: TreeNode = {
    id,
    parentId,
    role: null,
    at,
    ...emptyContent(),
  };
  const role = asText(author.role);
  const skip = (kind: keyof LeftOut) => {
    if (hasContent(content)) count(kind);
    return hiddenNode;
  };
  if (role === 'tool') {
    // Images that ChatGPT generated.
    const { images } = partsOf(content, () => false);
    if (images === 0) return skip('tools');
    return { ...hiddenNode, role: 'assistant', images };
  }
  if (metadata.is_visually_hidden_from_conversation === true) return skip('hidden');
  if (role !== 'user' && role !== 'assistant') return skip('hidden');
  const recipient = asText(message.recipient);
  if (role === 'assistant' && recipient !== '' && recipient !== 'all') return skip('tools');
  // Only questions have attachments on this site.
  const parsed = contentOf(content, role === 'user' ? hasFile : () => false);
  if (typeof parsed === 'string') {
    count(parsed);
    return hiddenNode;
  }
  const sentFiles = filesOf(metadata);
  if (
    parsed.text === '' &&
    parsed.images + parsed.other.length + parsed.attachments.length + sentFiles.length === 0
  )
    return hiddenNode;
  const isIncluded = (file: Fields) => role === 'user' && hasFile(asText(file.id));
  return {
    ...hiddenNode,
    ...parsed,
    role,
    text: parsed.text.replace(markers, ''),
    files: sentFiles.filter((file) => !isIncluded(file)).map((file) => asText(file.name) || 'file'),
    attachments: [...parsed.attachments, ...sentFiles.filter(isIncluded).map((file) => asText(file.id))],
  };
}

/** Sorts messages without a time last; `messagesOf` still puts them before their replies. */
const LAST = Number.MAX_SAFE_INTEGER;

export const isChatgptChat = (fields: Fields): boolean => isObject(fields.mapping);

/** @throws InvalidTree */
export function readChatgptChat(
  fields: Fields,
  count: (kind: keyof LeftOut) => void,
  hasFile: HasFile = () => false,
): ParsedChat | null {
  const sourceId = asId(fields.conversation_id) ?? asId(fields.id);
  if (sourceId === null) return null;
  const parsed = Object.entries(asObject(fields.mapping)).map(([id, node]) =>
    nodeOf(id, asObject(node), count, hasFile),
  );
  // Older files have no meaningful order in `mapping`.
  const nodes = new Map(
    parsed.sort((a, b) => (a.at ?? LAST) - (b.at ?? LAST)).map((node) => [node.id, node]),
  );
  return {
    source: 'chatgpt',
    sourceId,
    title: asText(fields.title),
    assistant: null,
    createdAt: asTime(fields.create_time),
    updatedAt: asTime(fields.update_time),
    archivedAt: fields.is_archived === true ? asTime(fields.update_time) : null,
    ...messagesOf(nodes, asId(fields.current_node)),
  };
}
