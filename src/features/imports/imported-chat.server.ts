import type { ImportedChat, ImportedMessage } from '#features/chat/service.server.ts';
import { m } from '#messages';
import { cleanLine, cutText } from '#shared/clean-text.ts';
import type { AddedFiles } from './imported-files.server.ts';
import type { ParsedChat, ParsedMessage } from './reading/import-protocol.ts';
import { MAX_MESSAGE_LENGTH } from './reading/message-bounds.ts';

/** UTF-16 units of the first question that serve as a title when the chat has none. */
const TITLE_LENGTH = 48;

/** UTF-16 units of a file name. */
const MAX_NAME_LENGTH = 200;

const cutName = (name: string) => cleanLine(name, MAX_NAME_LENGTH);

/**
 * Returns the text followed by notes on content that could not be imported. The notes have no Markdown, because
 * questions are shown as plain text.
 */
function textWithNotes({ text, images, files, other }: ParsedMessage): string {
  const notes = [
    ...(images > 0 ? [m.imports_note_images({ count: images })] : []),
    ...files.map((name) => m.imports_note_file({ name: cutName(name) })),
    ...[...new Set(other)].map((kind) => m.imports_note_other({ kind: cutName(kind) })),
  ];
  const noteText = notes.map((note) => `(${note})`).join('\n\n');
  if (noteText === '') return text;
  // Cut the text rather than the notes.
  const shortText = cutText(text, MAX_MESSAGE_LENGTH - noteText.length - 2);
  return shortText === '' ? noteText : `${shortText}\n\n${noteText}`;
}

const firstWords = ({ messages }: ParsedChat) =>
  cleanLine(messages.find(({ role }) => role === 'user')?.text.slice(0, 400) ?? '', TITLE_LENGTH);

/** The person's own items that a chat refers to. */
export interface ReferencedItems {
  projectId: string | null;
  ownAssistantId: string | null;
  /** Ids of image sets by their ids in the file. */
  images: ReadonlyMap<string, string>;
}

/** Converts a chat. Times in the future become `now`; a missing time becomes that of the previous message. */
export function toImported(
  chat: ParsedChat,
  { files: { stored, unreadable }, items, now }: { files: AddedFiles; items: ReferencedItems; now: Date },
): ImportedChat {
  const clampToNow = (at: number) => new Date(Math.min(at, now.getTime()));
  const times = chat.messages.flatMap(({ at }) => (at === null ? [] : [at]));
  const first = clampToNow(chat.createdAt ?? times.reduce((a, b) => Math.min(a, b), now.getTime()));
  const last = clampToNow(chat.updatedAt ?? times.reduce((a, b) => Math.max(a, b), first.getTime()));
  let previous = first;
  const messages = chat.messages.map((message): ImportedMessage => {
    previous = message.at === null ? previous : clampToNow(message.at);
    const { parent, role, attachments, ofArchive } = message;
    const drawnBy = items.images.get(ofArchive?.drawn ?? '') ?? null;
    const missing = attachments.flatMap((id) => unreadable.get(id) ?? []);
    const files = attachments.flatMap((id) => {
      const file = stored.get(id);
      return file ? [{ id: file.id, createdAt: file.at === null ? previous : clampToNow(file.at) }] : [];
    });
    const images = drawnBy === null ? message.images : 0;
    const text = textWithNotes({ ...message, images, files: [...message.files, ...missing] });
    const { assistantName = null, rating = null } = ofArchive ?? {};
    return { parent, role, text, createdAt: previous, files, drawnBy, assistantName, rating };
  });
  const { assistant, archivedAt, shown, ofArchive } = chat;
  const pinnedAt = ofArchive?.pinnedAt ?? null;
  return {
    title: chat.title.trim() || firstWords(chat),
    assistant,
    createdAt: first,
    updatedAt: last,
    archivedAt: archivedAt === null ? null : clampToNow(archivedAt),
    pinnedAt: pinnedAt === null ? null : clampToNow(pinnedAt),
    projectId: items.projectId,
    ownAssistantId: items.ownAssistantId,
    model: ofArchive?.model ?? null,
    comparedModel: ofArchive?.comparedModel ?? null,
    messages,
    shown,
  };
}
