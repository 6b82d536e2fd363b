import type { WebSource } from './contract.ts';

/** A source in copied text and in files; characters of the title that could be markup become spaces. */
export const sourceLine = ({ url, title, date }: WebSource, at: number): string =>
  `[${at + 1}] ${title.replace(/[<>[\]\\`*_]/g, ' ')}${date ? `, ${date}` : ''}, <${url}>`;
