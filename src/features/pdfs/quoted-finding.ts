import { m } from '#messages';
import type { Quote } from './contract.ts';

const pagesIn = (quotes: readonly Quote[]) => [
  ...new Set(quotes.flatMap(({ places }) => places.map(({ page }) => page))),
];

/** Escapes characters that have a meaning in Markdown. */
export const escapeMarkdown = (text: string) => text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');

export const quoteLine = (quote: Quote) =>
  `> ${escapeMarkdown(quote.text)} (${m.pdfs_export_page({ pages: pagesIn([quote]).join(', ') })})`;

/** Formats a finding as in the export: an optional heading, the statements and their quotes. */
export function findingMarkdown(
  heading: string | null,
  statements: { text: string; quotes: Quote[] }[],
): string {
  return [
    ...(heading === null ? [] : [`### ${escapeMarkdown(heading)}`]),
    ...statements.flatMap(({ text, quotes }) => [escapeMarkdown(text), ...quotes.map(quoteLine)]),
  ].join('\n\n');
}
