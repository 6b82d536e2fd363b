import { delimiterId, frameAsData, type GatewayMessage } from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { fileKey, readFile } from '#platform/files/file-store.server.ts';
import { log } from '#platform/log.server.ts';
import { xlsxType } from '../contract.ts';
import type { HistoryMessage } from '../messages/message-store.server.ts';
import { allocateTextBytes } from './allocate-text-bytes.ts';
import { type AttachmentRow, attachmentsByIds, textType } from './attachment-store.server.ts';
import { truncateText } from './fit-document.server.ts';

export type MessagePart = Exclude<GatewayMessage['content'], string>[number];
type SentAttachment = Pick<
  AttachmentRow,
  'id' | 'kind' | 'name' | 'type' | 'file_key' | 'text' | 'pages' | 'pages_read' | 'left_out'
>;

export const documentFrameTokens = 120;
/** Images per branch; those of the newest question are always sent. */
const maxImages = 4;

function describePages({ type, pages, pages_read, left_out }: SentAttachment): string {
  if (type === xlsxType) return 'its sheets as CSV; each row begins with its number';
  if (type !== 'application/pdf') return left_out?.cut || left_out?.sections ? 'its beginning' : 'all of it';
  const read = pages_read === pages ? `all ${pages} pages` : `pages 1 to ${pages_read} of ${pages}`;
  return `${read}, each below its mark`;
}

type FileOrigin = 'attached' | 'project' | 'assistant';

const origins: Record<FileOrigin, (label: string) => string> = {
  attached: (label) => `attached ${label}`,
  project: (label) => `${label} of the project that this chat is in`,
  assistant: (label) =>
    `${label}, which belongs to the assistant that the person has made for chats like this one`,
};

export function documentText(row: SentAttachment, bytes: number, origin: FileOrigin): string {
  const noun = row.type === textType ? 'file' : 'document';
  const label = `${noun} ${JSON.stringify(row.name)}`;
  const subject = origins[origin](label);
  const text = row.text ?? '';
  const fits = Buffer.byteLength(text) <= bytes;
  return frameAsData(
    `The following is the text of the ${subject} (${describePages(row)}).`,
    `document ${delimiterId(row.id)}`,
    fits
      ? [text]
      : [
          truncateText(text, bytes),
          '[The rest is left out, because it does not fit beside the other files.]',
        ],
  );
}

export const imageNamePart = ({ name }: SentAttachment): MessagePart => ({
  type: 'text',
  text: `[image: ${name}]`,
});

export async function imagePart(row: SentAttachment): Promise<MessagePart> {
  const bytes = await readFile(fileKey(row.file_key));
  if (!bytes) {
    log.error({ attachment: row.id }, 'the file of an attachment is missing');
    return imageNamePart(row);
  }
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { type: 'image_url', image_url: { url: `data:${row.type};base64,${base64}` } };
}

type Files = HistoryMessage['attachments'];

/** Returns the ids of the images to send; of the others only the names are sent. */
function imagesToSend(messages: readonly { attachments: Files }[]): Set<string> {
  const images = messages.map(({ attachments }) => attachments.filter(({ kind }) => kind === 'image'));
  const newest = images.at(-1) ?? [];
  const newestFirst = images.flatMap((files) => files.map(({ id }) => id)).reverse();
  return new Set([...newest.map(({ id }) => id), ...[...new Set(newestFirst)].slice(0, maxImages)]);
}

interface Sending {
  rows: Map<string, SentAttachment>;
  sentImages: Set<string>;
  seesImages: boolean;
}

async function fileParts(files: Files, { rows, sentImages, seesImages }: Sending): Promise<MessagePart[]> {
  const parts: MessagePart[] = [];
  const texts = allocateTextBytes(files);
  for (const [index, { id }] of files.entries()) {
    const row = rows.get(id);
    if (row?.kind === 'pdf')
      parts.push({ type: 'text', text: documentText(row, texts[index] ?? 0, 'attached') });
    if (row?.kind !== 'image' || !seesImages) continue;
    // The name identifies one of several files, or replaces an image that is not sent.
    if (files.length > 1 || !sentImages.has(id)) parts.push(imageNamePart(row));
    if (sentImages.has(id)) parts.push(await imagePart(row));
  }
  return parts;
}

/** Returns what is sent with each message besides its text, oldest message first. */
export async function messagePartsFor(
  messages: readonly { attachments: Files }[],
  { seesImages }: { seesImages: boolean },
): Promise<MessagePart[][]> {
  const ids = [...new Set(messages.flatMap(({ attachments }) => attachments.map(({ id }) => id)))];
  if (ids.length === 0) return [];
  const rows = new Map((await attachmentsByIds(database(), ids)).map((row) => [row.id, row]));
  const sending = { rows, sentImages: imagesToSend(messages), seesImages };
  const parts: MessagePart[][] = [];
  for (const { attachments } of messages) parts.push(await fileParts(attachments, sending));
  return parts;
}
