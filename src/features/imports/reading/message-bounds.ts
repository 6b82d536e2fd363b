import type { attachmentLimits } from '#features/chat/contract.ts';
import type { imageLimits } from '#features/images/contract.ts';
import { cutText } from '#shared/clean-text.ts';
import type { LeftOutKind } from '../contract.ts';
import type { ParsedMessage } from './import-protocol.ts';

// Only types are imported: those contracts would load every message of the site into the reader process.
export const MAX_FILES_PER_MESSAGE: typeof attachmentLimits.perMessage = 10;
export const MAX_IMAGES_PER_SET: typeof imageLimits.count = 4;
/** UTF-16 units of a message's text. */
export const MAX_MESSAGE_LENGTH = 250_000;
/** UTF-16 units of a title, a file name or a kind of content. */
const MAX_NAME_LENGTH = 200;
/** How many missing files and kinds of content a message lists; the rest is only counted. */
const MAX_NAMES = 20;

export const cutName = (name: string): string => cutText(name, MAX_NAME_LENGTH);

/** Counts what the message has lost, and cuts its text and lists to their limits. */
export function boundMessage(message: ParsedMessage, count: (kind: LeftOutKind, by: number) => void): void {
  count('images', message.images);
  count('files', message.files.length);
  count('other', message.other.length);
  message.files = message.files.slice(0, MAX_NAMES).map(cutName);
  message.other = [...new Set(message.other)].slice(0, MAX_NAMES).map(cutName);
  if (message.text.length <= MAX_MESSAGE_LENGTH) return;
  count('cut', 1);
  message.text = cutText(message.text, MAX_MESSAGE_LENGTH);
}

export function nameFile(message: ParsedMessage, name: string): void {
  if (message.files.length < MAX_NAMES) message.files.push(cutName(name));
}
