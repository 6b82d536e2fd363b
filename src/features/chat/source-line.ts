import type { WebSource } from './contract.ts';

/** As it stands in copies and files: nothing of a title is markup there. */
export const sourceLine = ({ url, title, date }: WebSource, at: number): string =>
  `[${at + 1}] ${title.replace(/[<>[\]\\`*_]/g, ' ')}${date ? `, ${date}` : ''}, <${url}>`;
