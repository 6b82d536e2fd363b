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

/** More cannot be sent; a page is always read whole. */
export const readingBounds = { characters: attachmentLimits.tokens * 5, ms: 8_000 };

/** @throws Problem in the words of its kind where it cannot be read */
export async function orProblem<T>(texts: FailureTexts, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new Problem('bad_request', texts[error.failure]());
    throw error;
  }
}

interface UnpagedKind<T> {
  format: Unpaged;
  failureTexts: FailureTexts;
  /** Null where there is no text. */
  sentOf(lines: ReaderLine[]): T | null;
}

/** @throws Problem where it is none */
export const readWithoutPages = <T>(
  path: string,
  reading: Reading,
  { format, failureTexts, sentOf }: UnpagedKind<T>,
): Promise<T> =>
  orProblem(failureTexts, async () => {
    const read = sentOf(await readUnpaged(path, { format, ...readingBounds, ...reading }));
    if (read === null) throw new UnreadableDocument('no_text');
    return read;
  });
