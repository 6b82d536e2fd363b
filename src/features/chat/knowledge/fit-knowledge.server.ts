import { BYTES_PER_TOKEN, IMAGE_TOKENS } from '#shared/token-estimate.ts';
import { allocateShares } from '../attachments/allocate-shares.ts';
import { textBytesWithImages } from '../attachments/allocate-text-bytes.ts';
import { documentFrameTokens } from '../attachments/attachment-parts.server.ts';
import type { SentFile } from '../attachments/attachment-store.server.ts';
import { MIN_BYTES } from '../attachments/fit-document.server.ts';
import { attachmentLimits } from '../contract.ts';
import type { FileLeftOut } from './file-left-out.ts';
import type { KnowledgeFile } from './knowledge-store.server.ts';

/** The part of a file that goes to the model; images go whole. */
export interface FittedFile {
  file: KnowledgeFile;
  /** UTF-8 bytes of its text that are sent. */
  sent: number;
}

export interface FittedKnowledge {
  files: FittedFile[];
  leftOut: FileLeftOut[];
  tokens: number;
}

/** Tokens that images leave for texts. */
const TEXT_TOKENS = 1_000;

const isImage = ({ kind }: SentFile) => kind === 'image';

/** Returns how many images fit next to a little of each text, in the order in which the files were added. */
function imagesThatFit(files: readonly KnowledgeFile[], tokens: number, textCount: number): number {
  const textTokens = textCount > 0 ? textCount * documentFrameTokens + TEXT_TOKENS : 0;
  const fitting = Math.floor((tokens - textTokens) / IMAGE_TOKENS);
  return Math.max(0, Math.min(files.filter(isImage).length, attachmentLimits.perMessage, fitting));
}

/** Fits the files of a chat's assistant and project into `tokens`; texts share the space as those of a message do. */
export function fitKnowledge(
  files: readonly KnowledgeFile[],
  { tokens, seesImages }: { tokens: number; seesImages: boolean },
): FittedKnowledge {
  const texts = files.filter((file) => !isImage(file));
  const images = seesImages ? imagesThatFit(files, tokens, texts.length) : 0;
  // One more token each, because the tokens of a text are rounded up.
  const frames = texts.length * (documentFrameTokens + 1);
  const left = Math.max(0, tokens - images * IMAGE_TOKENS - frames);
  const textBytesLeft = Math.min(textBytesWithImages(images), Math.floor(left * BYTES_PER_TOKEN));
  const shares = allocateShares(
    texts.map(({ textBytes }) => textBytes ?? 0),
    textBytesLeft,
  );
  const shareByFile = new Map(texts.map((file, at) => [file, shares[at] ?? 0]));
  let sentImages = 0;
  const fitted: FittedFile[] = [];
  const leftOut: FileLeftOut[] = [];
  for (const file of files) {
    const fullBytes = file.textBytes ?? 0;
    const share = shareByFile.get(file) ?? 0;
    const sent = share >= Math.min(fullBytes, MIN_BYTES) ? share : 0;
    const isSent = isImage(file) ? sentImages++ < images : sent > 0;
    if (isSent) fitted.push({ file, sent });
    if (!isSent || sent < fullBytes)
      leftOut.push({ name: file.name, percent: fullBytes === 0 ? 0 : Math.floor((100 * sent) / fullBytes) });
  }
  const tokenCounts = fitted.map(({ file, sent }) =>
    isImage(file) ? IMAGE_TOKENS : Math.ceil(sent / BYTES_PER_TOKEN) + documentFrameTokens,
  );
  return { files: fitted, leftOut, tokens: tokenCounts.reduce((sum, each) => sum + each, 0) };
}
