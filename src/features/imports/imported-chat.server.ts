import type { ImportedChat, ImportedMessage } from '#features/chat/service.server.ts';
import { m } from '#messages';
import { cleanLine, cutText } from '#shared/clean-text.ts';
import type { AddedFiles } from './imported-files.server.ts';
import type { ReadChat, ReadMessage } from './reading/import-protocol.ts';
import { MAX_MESSAGE_LENGTH } from './reading/message-bounds.ts';

/** UTF-16 units of the first question that serve as a title when the chat has none. */
const WORDS = 48;

/** UTF-16 units of a file name. */
const NAME = 200;

const named = (name: string) => cleanLine(name, NAME);

/**
 * Returns the text followed by notes on content that could not be imported. The notes have no Markdown, because
 * questions are shown as plain text.
 */
function textWithNotes({ text, images, files, other }: ReadMessage): string {
  const notes = [
    ...(images > 0 ? [m.imports_note_images({ count: images })] : []),
    ...files.map((name) => m.imports_note_file({ name: named(name) })),
    ...[...new Set(other)].map((kind) => m.imports_note_other({ kind: named(kind) })),
  ];
  const told = notes.map((note) => `(${note})`).join('\n\n');
  if (told === '') return text;
  // Cut the text rather than the notes.
  const words = cutText(text, MAX_MESSAGE_LENGTH - told.length - 2);
  return words === '' ? told : `${words}\n\n${told}`;
}

const firstWords = ({ messages }: ReadChat) =>
  cleanLine(messages.find(({ role }) => role === 'user')?.text.slice(0, 400) ?? '', WORDS);

/** The person's own items that a chat refers to. */
export interface NamedItems {
  projectId: string | null;
  ownAssistantId: string | null;
  /** Ids of image sets by their ids in the file. */
  images: ReadonlyMap<string, string>;
}

/** Converts a chat. Times in the future become `now`; a missing time becomes that of the previous message. */
export function toImported(
  chat: ReadChat,
  { files: { made, unread }, named: own, now }: { files: AddedFiles; named: NamedItems; now: Date },
): ImportedChat {
  const within = (at: number) => new Date(Math.min(at, now.getTime()));
  const times = chat.messages.flatMap(({ at }) => (at === null ? [] : [at]));
  const first = within(chat.createdAt ?? times.reduce((one, other) => Math.min(one, other), now.getTime()));
  const last = within(chat.updatedAt ?? times.reduce((one, other) => Math.max(one, other), first.getTime()));
  let before = first;
  const messages = chat.messages.map((message): ImportedMessage => {
    before = message.at === null ? before : within(message.at);
    const { parent, role, attachments, ofArchive } = message;
    const drawnBy = own.images.get(ofArchive?.drawn ?? '') ?? null;
    const missing = attachments.flatMap((id) => unread.get(id) ?? []);
    const files = attachments.flatMap((id) => {
      const file = made.get(id);
      return file ? [{ id: file.id, createdAt: file.at === null ? before : within(file.at) }] : [];
    });
    const images = drawnBy === null ? message.images : 0;
    const text = textWithNotes({ ...message, images, files: [...message.files, ...missing] });
    const { assistantName = null, rating = null } = ofArchive ?? {};
    return { parent, role, text, createdAt: before, files, drawnBy, assistantName, rating };
  });
  const { assistant, archivedAt, shown, ofArchive } = chat;
  const pinnedAt = ofArchive?.pinnedAt ?? null;
  return {
    title: chat.title.trim() || firstWords(chat),
    assistant,
    createdAt: first,
    updatedAt: last,
    archivedAt: archivedAt === null ? null : within(archivedAt),
    pinnedAt: pinnedAt === null ? null : within(pinnedAt),
    projectId: own.projectId,
    ownAssistantId: own.ownAssistantId,
    model: ofArchive?.model ?? null,
    comparedModel: ofArchive?.comparedModel ?? null,
    messages,
    shown,
  };
}
