import { database } from '#platform/database/database.server.ts';
import {
  documentText,
  imageNamePart,
  imagePart,
  type MessagePart,
} from '../attachments/attachment-parts.server.ts';
import { attachmentsByIds } from '../attachments/attachment-store.server.ts';
import type { FittedFile } from './fit-knowledge.server.ts';

/** Skips files that were removed since the reply started. */
export async function knowledgeParts(files: readonly FittedFile[]): Promise<MessagePart[]> {
  if (files.length === 0) return [];
  const ids = files.map(({ file }) => file.id);
  const rows = new Map((await attachmentsByIds(database(), ids)).map((row) => [row.id, row]));
  const parts: MessagePart[] = [];
  for (const { file, sent } of files) {
    const row = rows.get(file.id);
    if (!row) continue;
    if (row.kind === 'image') parts.push(imageNamePart(row), await imagePart(row));
    else parts.push({ type: 'text', text: documentText(row, sent, file.of) });
  }
  return parts;
}
