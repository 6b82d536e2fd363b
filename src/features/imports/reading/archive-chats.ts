import { importLimits, type LeftOut } from '../contract.ts';
import { type Fields, idOf, listOf, objectOf, textOf, timeOf } from './field-values.ts';
import type { ReadChat, ReadMessage } from './import-protocol.ts';
import { FILES_OF_MESSAGE, PICTURES_OF_SET } from './message-bounds.ts';
import { BadTree, MAX_CHAT_LENGTH } from './message-tree.ts';

export const isArchiveChat = (fields: Fields): boolean => Array.isArray(fields.messages);

const filesOf = (message: Fields): string[] => [
  ...new Set(
    listOf(message.attachmentIds)
      .slice(0, FILES_OF_MESSAGE)
      .flatMap((id) => idOf(id) ?? []),
  ),
];

function ratingOf(value: unknown): { good: boolean; reason: string } | null {
  const { good, reason } = objectOf(value);
  return typeof good === 'boolean' ? { good, reason: textOf(reason) } : null;
}

export const isDeleted = (fields: Fields): boolean => Boolean(fields.deletedAt);

/**
 * Reads a chat from an archive of this kind of site, which lists messages in the order they were written.
 * @throws BadTree
 */
export function readArchiveChat(fields: Fields, count: (kind: keyof LeftOut) => void): ReadChat | null {
  const sourceId = idOf(fields.id);
  if (sourceId === null) return null;
  const written = listOf(fields.messages).map(objectOf);
  if (written.length > importLimits.messagesPerChat) throw new BadTree();
  const places = new Map<string, number>();
  const messages: ReadMessage[] = [];
  let length = 0;
  for (const message of written) {
    const [id, parentId, role] = [idOf(message.id), idOf(message.parentId), textOf(message.role)];
    const parent = parentId === null ? null : places.get(parentId);
    if (id === null || parent === undefined || places.has(id) || (role !== 'user' && role !== 'assistant'))
      throw new BadTree();
    if (textOf(message.thinking) !== '') count('thinking');
    const text = textOf(message.content);
    length += text.length;
    if (length > MAX_CHAT_LENGTH) throw new BadTree();
    places.set(id, messages.length);
    messages.push({
      parent,
      role,
      text,
      at: timeOf(message.createdAt),
      images: 0,
      files: [],
      other: [],
      attachments: filesOf(message),
      ofArchive: {
        pictures: listOf(message.imageIds)
          .slice(0, PICTURES_OF_SET)
          .flatMap((each) => idOf(each) ?? []),
        drawn: null,
        assistantName: role === 'assistant' ? idOf(message.assistantName) : null,
        rating: role === 'assistant' ? ratingOf(message.rating) : null,
      },
    });
  }
  return {
    source: 'archive',
    sourceId,
    title: textOf(fields.title),
    assistant: idOf(fields.assistant),
    createdAt: timeOf(fields.createdAt),
    updatedAt: timeOf(fields.updatedAt),
    archivedAt: timeOf(fields.archivedAt),
    messages,
    ofArchive: {
      pinnedAt: timeOf(fields.pinnedAt),
      project: idOf(fields.projectId),
      ownAssistant: idOf(fields.ownAssistantId),
      model: idOf(fields.model),
      comparedModel: idOf(fields.comparedModel),
    },
    shown: places.get(idOf(fields.shownId) ?? '') ?? null,
  };
}
