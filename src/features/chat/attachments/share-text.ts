import { BYTES_PER_TOKEN, IMAGE_TOKENS } from '#shared/token-estimate.ts';
import { type Attachment, attachmentLimits } from '../contract.ts';
import { shareRoom } from './share-room.ts';

type SizedFile = Pick<Attachment, 'kind' | 'textBytes'>;

/** Tokens of all files of a message, images and texts together. */
const ALL_FILES = 12_000;
const LEAST_TEXT = 1_000;

/** Returns the UTF-8 bytes that the documents of one message share, next to this many images. */
export function textBytesBeside(images: number): number {
  const tokens = Math.max(LEAST_TEXT, Math.min(attachmentLimits.tokens, ALL_FILES - images * IMAGE_TOKENS));
  return Math.floor(tokens * BYTES_PER_TOKEN);
}

/** Returns how many bytes of each text are sent, in the order of `files`. */
export const shareText = (files: readonly SizedFile[]): number[] =>
  shareRoom(
    files.map(({ textBytes }) => textBytes ?? 0),
    textBytesBeside(files.filter(({ kind }) => kind === 'image').length),
  );
