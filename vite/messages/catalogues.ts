import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CompiledMessage, compileMessage, type Placeholders } from './compile.ts';

/** The language that all other catalogues are compared with, and whose messages replace missing ones. */
export const BASE = 'en';

export const MESSAGES_FOLDER = fileURLToPath(new URL('../../messages', import.meta.url));

/** Languages by BCP 47 tag, each with its messages by key. */
export type Catalogues = Map<string, Map<string, CompiledMessage>>;

/**
 * Reads messages/*.json. Messages that a language lacks are taken from English.
 * @throws Error that lists each message that cannot be compiled or whose placeholders differ from English.
 */
export function readCatalogues(folder: string): Catalogues {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const problems: string[] = [];
  const catalogues: Catalogues = new Map();
  for (const file of files.sort((a, b) => Number(b === `${BASE}.json`) - Number(a === `${BASE}.json`))) {
    const locale = file.slice(0, -'.json'.length);
    const texts = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>;
    const base = catalogues.get(BASE);
    const messages = new Map<string, CompiledMessage>();
    for (const [key, text] of Object.entries(texts)) {
      try {
        const message = compileMessage(text, locale);
        const expected = base?.get(key)?.placeholders ?? (base ? null : message.placeholders);
        const problem =
          expected === null ? 'is not in the English catalogue' : describeDifference(expected, message);
        if (problem) problems.push(`${file}: "${key}" ${problem}`);
        messages.set(key, message);
      } catch (error) {
        problems.push(`${file}: "${key}" cannot be read: ${(error as Error).message}`);
      }
    }
    for (const [key, english] of base ?? []) if (!messages.has(key)) messages.set(key, english);
    catalogues.set(locale, messages);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return catalogues;
}

/** Returns how the placeholders differ from English, or null. Plural forms may omit their number ("one message"). */
function describeDifference(english: Placeholders, { placeholders }: CompiledMessage): string | null {
  for (const [name, kind] of Object.entries(placeholders)) {
    const englishKind = english[name];
    if (englishKind === undefined) return `has {${name}}, which English has not`;
    if (kind !== 'text' && String(englishKind) !== String(kind))
      return `takes {${name}} as ${kind}, not ${englishKind}`;
  }
  const missing = Object.keys(english).filter((name) => placeholders[name] === undefined);
  return missing.length > 0 ? `lacks {${missing.join('}, {')}}` : null;
}
