import { z } from 'zod';
import type { Words } from '#content/site.ts';
import { type Locale, locales } from '#messages';
import { cleanInputLine, codePointLength } from '#shared/input-text.ts';

const isLocale = (tag: string): tag is Locale => (locales as readonly string[]).includes(tag);

/** The languages that words can be translated to. */
export const languageTags = (): string => locales.filter((tag) => tag !== 'en').join(', ');

/**
 * Reads one text for everybody and translations for single languages: `active users`, `de: aktive Nutzer`.
 * @returns { problem } if they are invalid.
 */
export function readTranslations(
  [first = '', ...others]: readonly string[],
  max: number,
): Words | { problem: string } {
  const fits = (text: string) => text !== '' && codePointLength(text) <= max && !/[<>]/.test(text);
  if (!fits(first)) return { problem: `must have a text of 1 to ${max} characters without < and >` };
  const words: { en: string } & Partial<Record<Locale, string>> = { en: first };
  for (const each of others) {
    const [, tag = '', text = ''] = /^([A-Za-z-]+)\s*:\s*(.*)$/.exec(each) ?? [];
    if (!isLocale(tag) || tag === 'en' || !fits(text))
      return { problem: `has "${each}" for a translation; write LANGUAGE: TEXT, with ${languageTags()}` };
    if (words[tag] !== undefined) return { problem: `has two texts for ${tag}` };
    words[tag] = text;
  }
  return others.length === 0 ? first : words;
}

/** The reverse of `readTranslations`. */
export const translationParts = (words: Words): string[] =>
  typeof words === 'string'
    ? [words]
    : [
        words.en,
        ...Object.entries(words).flatMap(([tag, text]) => (tag === 'en' ? [] : [`${tag}: ${text}`])),
      ];

export const isProblem = (value: object | string): value is { problem: string } =>
  typeof value === 'object' && 'problem' in value;

/** Lines as an operator types them, stored as text; `problemOf` returns what is wrong with them, or null. */
export const checkedLines = (max: number, problemOf: (lines: string[]) => string | null) =>
  z
    .array(z.string('must be text').max(2_000, 'must have shorter lines'), 'must be a list of lines')
    .max(max, `must have ${max} lines or less`)
    .transform((lines, context): string[] => {
      const clean = lines.map(cleanInputLine).filter((line) => line !== '');
      const problem = problemOf(clean);
      if (problem !== null) context.addIssue(problem);
      return problem === null ? clean : z.NEVER;
    });
