import { m } from '#messages';
import type { Quote } from './contract.ts';

const pagesIn = (quotes: readonly Quote[]) => [
  ...new Set(quotes.flatMap(({ places }) => places.map(({ page }) => page))),
];

/** Markdown in which signs of the document stand for themselves. */
export const plain = (text: string) => text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');

export const quoteLine = (quote: Quote) =>
  `> ${plain(quote.text)} (${m.pdfs_export_page({ pages: pagesIn([quote]).join(', ') })})`;

/** As the export has it: a heading where it answers a question, what is said, and the words that prove it. */
export function findingMarkdown(heading: string | null, said: { text: string; quotes: Quote[] }[]): string {
  return [
    ...(heading === null ? [] : [`### ${plain(heading)}`]),
    ...said.flatMap(({ text, quotes }) => [plain(text), ...quotes.map(quoteLine)]),
  ].join('\n\n');
}
