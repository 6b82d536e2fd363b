import { importLimits, type LeftOut } from '../contract.ts';
import { asId, asList, asObject, asText, asTime, type Fields } from './field-values.ts';
import type { ParsedChat, ParsedMessage } from './import-protocol.ts';
import { MAX_FILES_PER_MESSAGE, MAX_IMAGES_PER_SET } from './message-bounds.ts';
import { InvalidTree, MAX_CHAT_LENGTH } from './message-tree.ts';

export const isArchiveChat = (fields: Fields): boolean => Array.isArray(fields.messages);

const filesOf = (message: Fields): string[] => [
  ...new Set(
    asList(message.attachmentIds)
      .slice(0, MAX_FILES_PER_MESSAGE)
      .flatMap((id) => asId(id) ?? []),
  ),
];

function ratingOf(value: unknown): { good: boolean; reason: string } | null {
  const { good, reason } = asObject(value);
  return typeof good === 'boolean' ? { good, reason: asText(reason) } : null;
}

export const isDeleted = (fields: Fields): boolean => Boolean(fields.deletedAt);

/**
 * Reads a chat from an archive of this kind of site, which lists messages in the order they were written.
 * @throws InvalidTree
 */
export function readArchiveChat(fields: Fields, count: (kind: keyof LeftOut) => void): ParsedChat | null {
  const sourceId = asId(fields.id);
  if (sourceId === null) return null;
  const rawMessages = asList(fields.messages).map(asObject);
  if (rawMessages.length > importLimits.messagesPerChat) throw new InvalidTree();
  const indexes = new Map<string, number>();
  const messages: ParsedMessage[] = [];
  let length = 0;
  for (const message of rawMessages) {
    const [id, parentId, role] = [asId(message.id), asId(message.parentId), asText(message.role)];
    const parent = parentId === null ? null : indexes.get(parentId);
    if (id === null || parent === undefined || indexes.has(id) || (role !== 'user' && role !== 'assistant'))
      throw new InvalidTree();
    if (asText(message.thinking) !== '') count('thinking');
    const text = asText(message.content);
    length += text.length;
    if (length > MAX_CHAT_LENGTH) throw new InvalidTree();
    indexes.set(id, messages.length);
    messages.push({
      parent,
      role,
      text,
      at: asTime(message.createdAt),
      images: 0,
      files: [],
      other: [],
      attachments: filesOf(message),
      ofArchive: {
        pictures: asList(message.imageIds)
          .slice(0, MAX_IMAGES_PER_SET)
          .flatMap((each) => asId(each) ?? []),
        drawn: null,
        assistantName: role === 'assistant' ? asId(message.assistantName) : null,
        rating: role === 'assistant' ? ratingOf(message.rating) : null,
      },
    });
  }
  return {
    source: 'archive',
    sourceId,
    title: asText(fields.title),
    assistant: asId(fields.assistant),
    createdAt: asTime(fields.createdAt),
    updatedAt: asTime(fields.updatedAt),
    archivedAt: asTime(fields.archivedAt),
    messages,
    ofArchive: {
      pinnedAt: asTime(fields.pinnedAt),
      project: asId(fields.projectId),
      ownAssistant: asId(fields.ownAssistantId),
      model: asId(fields.model),
      comparedModel: asId(fields.comparedModel),
    },
    shown: indexes.get(asId(fields.shownId) ?? '') ?? null,
  };
}
