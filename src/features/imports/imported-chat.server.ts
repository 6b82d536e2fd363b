import type { ImportedChat } from '#features/chat/service.server.ts';
import { m } from '#messages';
import { cleanLine } from '#shared/clean-text.ts';
import type { AddedFiles } from './imported-files.server.ts';
import type { ReadChat, ReadMessage } from './reading/import-protocol.ts';
import { MAX_MESSAGE_LENGTH } from './reading/message-bounds.ts';

/** UTF-16 units of the first question that stand for a title. */
const WORDS = 48;

/** UTF-16 units of the name of a file. */
const NAME = 200;

const named = (name: string) => cleanLine(name, NAME);

/** The text, and in it what came with the message and is not there; questions are shown as they are, without Markdown. */
function textWithNotes({ text, images, files, other }: ReadMessage): string {
  const notes = [
    ...(images > 0 ? [m.imports_note_images({ count: images })] : []),
    ...files.map((name) => m.imports_note_file({ name: named(name) })),
    ...[...new Set(other)].map((kind) => m.imports_note_other({ kind: named(kind) })),
  ];
  const told = notes.map((note) => `(${note})`).join('\n\n');
  if (told === '') return text;
  // What came with it is told even where the text is cut for it.
  const words = text.slice(0, MAX_MESSAGE_LENGTH - told.length - 2).toWellFormed();
  return words === '' ? told : `${words}\n\n${told}`;
}

const firstWords = ({ messages }: ReadChat) =>
  cleanLine(messages.find(({ role }) => role === 'user')?.text.slice(0, 400) ?? '', WORDS);

/** Times that lie ahead, or that the file does not tell, are those of before, or of now. */
export function toImported(chat: ReadChat, { made, unread }: AddedFiles, now: Date): ImportedChat {
  const within = (at: number) => new Date(Math.min(at, now.getTime()));
  const times = chat.messages.flatMap(({ at }) => (at === null ? [] : [at]));
  const first = within(chat.createdAt ?? times.reduce((one, other) => Math.min(one, other), now.getTime()));
  const last = within(chat.updatedAt ?? times.reduce((one, other) => Math.max(one, other), first.getTime()));
  let before = first;
  const messages = chat.messages.map((message) => {
    before = message.at === null ? before : within(message.at);
    const { parent, role, attachments } = message;
    const missing = attachments.flatMap((id) => unread.get(id) ?? []);
    const files = attachments.flatMap((id) => {
      const file = made.get(id);
      return file ? [{ id: file.id, createdAt: file.at === null ? before : within(file.at) }] : [];
    });
    const text = textWithNotes({ ...message, files: [...message.files, ...missing] });
    return { parent, role, text, createdAt: before, files };
  });
  const { assistant, archivedAt, shown } = chat;
  return {
    title: chat.title.trim() || firstWords(chat),
    assistant,
    createdAt: first,
    updatedAt: last,
    archivedAt: archivedAt === null ? null : within(archivedAt),
    messages,
    shown,
  };
}
