import type { Token } from 'marked';

export interface FootnoteReference {
  type: 'note-mark';
  raw: string;
  label: string;
}

export interface Footnote {
  type: 'note';
  raw: string;
  label: string;
  text: string;
  tokens: Token[];
}

/** The only HTML that becomes an element, with `open` as its only attribute. */
export interface Details {
  type: 'details';
  raw: string;
  isOpen: boolean;
  summary: Token[];
  tokens: Token[];
}

export type FootnoteToken = FootnoteReference | Footnote | Details;

const noteLine = /^ {0,3}\[\^([^\]\s]{1,40})\]:[ \t]*/;
const noteStart = /\n[ \t]*(?:\n| {0,3}(\[\^[^\]\s]{1,40}\]:))/;
const detailsTag = /^ {0,3}<details( open)?>/i;
const summaryTag = /^\s*<summary>([^<]{0,400}(?:<(?!\/summary>)[^<]{0,400}){0,20})<\/summary>/i;

/** Returns the labels that have a note. A non-numeric mark counts only if its note exists. */
export const footnoteLabels = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^ {0,3}\[\^([^\]\s]{1,40})\]:/gm)].map(([, label]) => label!));

/** A numeric mark also counts without its note, which may still arrive. */
export function footnoteReferenceAt(src: string, labels: ReadonlySet<string>): FootnoteReference | null {
  const found = /^\[\^([^\]\s]{1,40})\]/.exec(src);
  const label = found?.[1];
  if (!label || !(labels.has(label) || /^\d{1,3}$/.test(label))) return null;
  return { type: 'note-mark', raw: found[0], label };
}

export function footnoteAt(src: string): Omit<Footnote, 'tokens'> | null {
  const found = noteLine.exec(src);
  if (!found) return null;
  let end = src.indexOf('\n');
  let blank = false;
  while (end >= 0 && end + 1 < src.length) {
    const next = src.indexOf('\n', end + 1);
    const line = src.slice(end + 1, next < 0 ? src.length : next);
    const isBlank = line.trim() === '';
    if (!isBlank && (noteLine.test(line) || (blank && !/^(?: {4}|\t)/.test(line)))) break;
    blank = isBlank;
    end = next;
  }
  const raw = end < 0 ? src : src.slice(0, end + 1);
  const text = raw
    .slice(found[0].length)
    .replace(/\n(?: {4}|\t)/g, '\n')
    .trim();
  return { type: 'note', raw, label: found[1]!, text };
}

export function footnoteLineIn(src: string): number {
  const found = noteStart.exec(src);
  return found?.[1] ? found.index + 1 : -1;
}

export function detailsAt(
  src: string,
): (Omit<Details, 'tokens' | 'summary'> & { summary: string; text: string }) | null {
  const found = detailsTag.exec(src);
  if (!found) return null;
  let depth = 0;
  let [end, close] = [src.length, src.length];
  for (const tag of src.matchAll(/<(\/?)details(?: open)?>/gi)) {
    depth += tag[1] ? -1 : 1;
    if (depth > 0) continue;
    close = tag.index;
    end = tag.index + tag[0].length;
    break;
  }
  const inner = src.slice(found[0].length, close);
  const summary = summaryTag.exec(inner);
  const blanks = /^[ \t]*\n*/.exec(src.slice(end))?.[0] ?? '';
  return {
    type: 'details',
    raw: src.slice(0, end) + (src.length > end ? blanks : ''),
    isOpen: found[1] !== undefined,
    summary: summary?.[1]?.trim() || 'Details',
    text: `${inner.slice(summary?.[0].length ?? 0).trim()}\n`,
  };
}
