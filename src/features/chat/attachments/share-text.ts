import { BYTES_PER_TOKEN, IMAGE_TOKENS } from '#shared/token-estimate.ts';
import { type Attachment, attachmentLimits } from '../contract.ts';

type SizedFile = Pick<Attachment, 'kind' | 'textBytes'>;

/** Tokens of all files of a message, images and texts together. */
const ALL_FILES = 12_000;
const LEAST_TEXT = 1_000;

/** UTF-8 bytes of text that the documents of one message share. */
export function textBytesBeside(images: number): number {
  const tokens = Math.max(LEAST_TEXT, Math.min(attachmentLimits.tokens, ALL_FILES - images * IMAGE_TOKENS));
  return Math.floor(tokens * BYTES_PER_TOKEN);
}

/** Bytes of each text that are sent: short ones whole, the longer ones as much as each other. In the order of `files`. */
export function shareText(files: readonly SizedFile[]): number[] {
  const sizes = files.map(({ textBytes }) => textBytes ?? 0);
  let left = textBytesBeside(files.filter(({ kind }) => kind === 'image').length);
  let waiting = sizes.filter((size) => size > 0).length;
  const most = new Map<number, number>();
  for (const size of [...sizes].sort((a, b) => a - b)) {
    if (size === 0) continue;
    const share = Math.min(size, Math.floor(left / waiting));
    most.set(size, Math.min(share, most.get(size) ?? share));
    left -= share;
    waiting -= 1;
  }
  return sizes.map((size) => Math.min(size, most.get(size) ?? 0));
}
