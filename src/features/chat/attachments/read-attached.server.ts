import {
  type ReadFailure,
  readUnpaged,
  UnreadableDocument,
} from '#platform/document-reader/document-text.server.ts';
import type { ReaderLine, Unpaged } from '#platform/document-reader/reader-protocol.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { attachmentLimits } from '../contract.ts';

export interface Reading {
  key: string;
  signal: AbortSignal;
}

type FailureTexts = Record<ReadFailure, () => string>;

/** More characters cannot be sent, but a page is always read whole. */
export const readingBounds = { characters: attachmentLimits.tokens * 5, ms: 8_000 };

/** @throws Problem with the text for its failure if the document cannot be read */
export async function readOrProblem<T>(texts: FailureTexts, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new Problem('bad_request', texts[error.failure]());
    throw error;
  }
}

interface UnpagedFormat<T> {
  format: Unpaged;
  failureTexts: FailureTexts;
  /** Null if there is no text. */
  toDocument(lines: ReaderLine[]): T | null;
}

/** @throws Problem if the file is not of this format or has no text */
export const readWithoutPages = <T>(
  path: string,
  reading: Reading,
  { format, failureTexts, toDocument }: UnpagedFormat<T>,
): Promise<T> =>
  readOrProblem(failureTexts, async () => {
    const read = toDocument(await readUnpaged(path, { format, ...readingBounds, ...reading }));
    if (read === null) throw new UnreadableDocument('no_text');
    return read;
  });
