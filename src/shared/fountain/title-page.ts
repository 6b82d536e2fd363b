import type { TitleEntry } from './screenplay.ts';
import type { Line } from './source-lines.ts';

const FIRST_KEY =
  /^(title|credit|authors?|source|notes?|draft date|date|contact|copyright|revisions?|format) *:/i;
const KEY = /^([^\s:][^:]{0,60}?) *:(.*)$/;

export const startsTitlePage = (line: string): boolean => FIRST_KEY.test(line);

export function readTitlePage(lines: Line[]): { title: TitleEntry[]; next: number } {
  const title: TitleEntry[] = [];
  if (!startsTitlePage(lines[0]?.text ?? '')) return { title, next: 0 };
  let at = 0;
  for (; at < lines.length; at++) {
    const { text } = lines[at]!;
    if (text.trim() === '') break;
    const match = /^\s/.test(text) ? null : KEY.exec(text);
    if (match) {
      const value = match[2]!.trim();
      title.push({ key: match[1]!, values: value === '' ? [] : [value] });
    } else title.at(-1)?.values.push(text.trim());
  }
  return { title, next: at };
}

/** Null if the title page has no author. */
export function authorOf(title: TitleEntry[]): string | null {
  const entry = title.find(({ key, values }) => /^authors?$/i.test(key) && values.length > 0);
  return entry?.values.join('\n') ?? null;
}

export function titleValue(title: TitleEntry[], key: string): string {
  const entry = title.find((each) => each.key.toLowerCase() === key.toLowerCase());
  return entry?.values.join('\n') ?? '';
}
