import { m } from '#messages';

export const documentFailures = {
  pdfs_gone: m.pdfs_gone,
  pdfs_answer_unreadable: m.pdfs_answer_unreadable,
  pdfs_unsupported: m.pdfs_unsupported,
  pdfs_busy_analyzing: m.pdfs_busy_analyzing,
  pdfs_too_complex_search: m.pdfs_too_complex_search,
};
export type DocumentFailure = keyof typeof documentFailures;
