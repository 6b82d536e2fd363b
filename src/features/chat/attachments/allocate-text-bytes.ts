import { BYTES_PER_TOKEN, IMAGE_TOKENS } from '#shared/token-estimate.ts';
import { type Attachment, attachmentLimits } from '../contract.ts';
import { allocateShares } from './allocate-shares.ts';

type SizedFile = Pick<Attachment, 'kind' | 'textBytes'>;

/** Tokens of all files of a message, images and texts together. */
const MAX_FILE_TOKENS = 12_000;
const MIN_TEXT_TOKENS = 1_000;

/** Returns the UTF-8 bytes that the documents of one message share, next to this many images. */
export function textBytesWithImages(images: number): number {
  const tokens = Math.max(
    MIN_TEXT_TOKENS,
    Math.min(attachmentLimits.tokens, MAX_FILE_TOKENS - images * IMAGE_TOKENS),
  );
  return Math.floor(tokens * BYTES_PER_TOKEN);
}

/** Returns how many bytes of each text are sent, in the order of `files`. */
export const allocateTextBytes = (files: readonly SizedFile[]): number[] =>
  allocateShares(
    files.map(({ textBytes }) => textBytes ?? 0),
    textBytesWithImages(files.filter(({ kind }) => kind === 'image').length),
  );
