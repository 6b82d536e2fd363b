import type { Attachment } from '../contract.ts';

export const knowledgeLimits = {
  /** Files per project, and per assistant. */
  files: 10,
} as const;

/** `files` are given to each reply, in the order in which they were added. */
export type WithFiles<T> = T & { files: Attachment[] };
