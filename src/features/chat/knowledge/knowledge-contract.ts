import type { Attachment } from '../contract.ts';

export const knowledgeLimits = {
  /** Files of one project, and of one assistant. */
  files: 10,
} as const;

/** With the files that each reply is given, in the order in which they were added. */
export type WithFiles<T> = T & { files: Attachment[] };
