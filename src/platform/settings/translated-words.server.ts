import { z } from 'zod';
import type { Words } from '#content/site.ts';
import { type Locale, locales } from '#messages';
import { cleanInputLine, codePointLength } from '#shared/input-text.ts';

const isLocale = (tag: string): tag is Locale => (locales as readonly string[]).includes(tag);

/** Of those that words can be translated to. */
export const languageTags = (): string => locales.filter((tag) => tag !== 'en').join(', ');

/**
 * The first for everybody, each further one for those of a language: `active users`, `de: aktive Nutzer`.
 * @returns what is wrong, as { problem }.
 */
export function readTranslations(
  [first = '', ...others]: readonly string[],
  most: number,
): Words | { problem: string } {
  const fits = (text: string) => text !== '' && codePointLength(text) <= most && !/[<>]/.test(text);
  if (!fits(first)) return { problem: `must have a text of 1 to ${most} characters without < and >` };
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

/** What `readTranslations` reads again. */
export const translationParts = (words: Words): string[] =>
  typeof words === 'string'
    ? [words]
    : [
        words.en,
        ...Object.entries(words).flatMap(([tag, text]) => (tag === 'en' ? [] : [`${tag}: ${text}`])),
      ];

export const isProblem = (read: object | string): read is { problem: string } =>
  typeof read === 'object' && 'problem' in read;

/** Lines as an operator types them, which stay such; `problemOf` says what is wrong with all of them, or null. */
export const checkedLines = (most: number, problemOf: (lines: string[]) => string | null) =>
  z
    .array(z.string('must be text').max(2_000, 'must have shorter lines'), 'must be a list of lines')
    .max(most, `must have ${most} lines or less`)
    .transform((lines, context): string[] => {
      const clean = lines.map(cleanInputLine).filter((line) => line !== '');
      const problem = problemOf(clean);
      if (problem !== null) context.addIssue(problem);
      return problem === null ? clean : z.NEVER;
    });
