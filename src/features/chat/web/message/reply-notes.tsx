import { locale, m } from '#messages';
import { chatModelOf } from '#shared/chat-models.ts';
import type { FileLeftOut } from '../../knowledge/file-left-out.ts';
import type { Message } from '../state/chat-state.ts';

const modelName = (id: string) => chatModelOf(id)?.name ?? id;

/** @param asked null for a message sent on this page, until a reload */
const answeredByText = (requestedId: string | null, answeringId: string) =>
  requestedId === null
    ? m.chat_answered_by({ model: modelName(answeringId) })
    : m.chat_answered_for({ model: modelName(answeringId), asked: modelName(requestedId) });

const fileText = (file: FileLeftOut) =>
  file.percent > 0 ? m.chat_reply_file_part(file) : m.chat_reply_file_none(file);

const filesText = (files: FileLeftOut[]) =>
  m.chat_reply_files_left_out({ files: new Intl.ListFormat(locale()).format(files.map(fileText)) });

/** Notes on how a reply differs from the request: which model replied, and what did not fit. */
export function ReplyNotes({ turn }: { turn: Message }) {
  const { answeredBy, model, leftOut, filesLeftOut } = turn;
  const notes = [
    answeredBy && answeredByText(model, answeredBy),
    leftOut > 0 && m.chat_reply_left_out({ leftOut }),
    filesLeftOut.length > 0 && filesText(filesLeftOut),
  ];
  return notes.map((note) =>
    note ? (
      <p key={note} className="mt-2 text-xs wrap-anywhere text-fg-muted">
        {note}
      </p>
    ) : null,
  );
}
