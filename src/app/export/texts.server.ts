import { site } from '../../../content/site.ts';
import type { WholeAttachment } from '../../features/chat/attachments/person/service.server.ts';
import type { WholeChat } from '../../features/chat/person/service.server.ts';
import type { WholePicture } from '../../features/image/person/service.server.ts';
import type { WholeDocument } from '../../features/pdf/person/service.server.ts';
import type { WholeWork } from '../../features/works/person/service.server.ts';
import { csvLine } from '../../shared/csv.ts';
import { endingOf } from '../../shared/file-name.ts';
import { slugOf } from '../../shared/slug.ts';
import type { ExportedEntry } from './schema.server.ts';

/** The ledger as a table. The mark at its start tells spreadsheets that it is UTF-8. */
export async function* ledgerCsv(entries: AsyncIterable<ExportedEntry>): AsyncGenerator<string> {
  yield '\ufeffid,date,kind,change,feature,reason\r\n';
  for await (const { id, createdAt, kind, delta, feature, reason } of entries) {
    yield csvLine([id, createdAt, kind, delta, feature, reason]);
  }
}

/** Name of a chat's Markdown file; the id, whole because clients may choose it, keeps names apart. */
export function chatFileName({
  id,
  title,
  created_at,
}: Pick<WholeChat, 'id' | 'title' | 'created_at'>): string {
  return `chats/${created_at.toISOString().slice(0, 10)}-${slugOf(title, 'chat')}-${id}.md`;
}

/** Name of a file that was put to a message; its ending says what its bytes are. */
export function attachmentFileName({
  id,
  name,
  type,
  created_at,
}: Pick<WholeAttachment, 'id' | 'name' | 'type' | 'created_at'>): string {
  const slug = slugOf(name.replace(/\.(pdf|jpe?g|png|webp)$/i, ''), 'file');
  return `files/${created_at.toISOString().slice(0, 10)}-${slug}-${id}.${endingOf(type)}`;
}

/** Name of the newest text of a work; a screenplay is Fountain, anything else Markdown. */
export function workFileName({
  id,
  title,
  feature,
  created_at,
}: Pick<WholeWork, 'id' | 'title' | 'feature' | 'created_at'>): string {
  const ending = feature === 'script' ? 'fountain' : 'md';
  return `works/${created_at.toISOString().slice(0, 10)}-${slugOf(title, feature)}-${id}.${ending}`;
}

/** Name of the file of a document. */
export function documentFileName({
  id,
  name,
  created_at,
}: Pick<WholeDocument, 'id' | 'name' | 'created_at'>): string {
  const slug = slugOf(name.replace(/\.\w{1,10}$/, ''), 'document');
  return `documents/${created_at.toISOString().slice(0, 10)}-${slug}-${id}.pdf`;
}

/** Name of a picture that was made. */
export function pictureFileName(
  { id, created_at }: Pick<WholePicture, 'id' | 'created_at'>,
  prompt: string,
): string {
  return `images/${created_at.toISOString().slice(0, 10)}-${slugOf(prompt, 'image')}-${id}.png`;
}

/** What the archive says of itself. */
export function readme(exportedAt: Date): string {
  return `Your data at ${site.name}, ${exportedAt.toISOString()}

export.json   Your account, sessions, chats with every message of every branch,
              works with every version, prompts that you wrote, like, used, rated or
              reported, messages to support, requests for pictures, generations, the credit
              ledger, and your plans with their payments. Times are UTC.
schema.json   The JSON Schema of export.json.
chats/        Each chat as Markdown, as its page shows it.
works/        The newest text of what you wrote with the tools: Markdown, and
              Fountain for screenplays.
documents/    The files of the PDF Analyzer.
images/       The pictures that you had made.
ledger.csv    The credit ledger as a table. A text that begins with a sign that a
              spreadsheet would take for a formula has an apostrophe before it.
files/        Your picture, if you have one, and the files of your messages.

Secrets of your sessions are not in here: we keep none that could be used.
`;
}
