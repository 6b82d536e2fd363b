import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogues } from './catalogues.ts';
import type { CompiledMessage } from './compile.ts';

/**
 * A placeholder as minified: `__m__("key")`, possibly followed by its call, or the start of `__m__("key",format)`, in
 * which the minifier may have turned the format into any expression.
 */
const PLACEHOLDER = /__m__\((["'`])(\w+)\1(?:(,)|\)(\(\))?)/g;
/** A reference to another file of the build: `./name-hash.js`, `/assets/name-hash.js`, `assets/name-hash.js`. */
const REFERENCE = /(\.\/|\/?assets\/)([\w.-]+\.js)(?=["'`])/g;

/** What the server needs to know: the folder of each language in assets/, and the files in it. */
export interface LocalizedAssets {
  folders: Record<string, string>;
  files: string[];
}

/**
 * Replaces each file of the client build that has placeholders, or references such a file, by one file per language in
 * a folder such as assets/de-3f2a1c9b/. All other files are shared. The folder's name changes with the messages,
 * because browsers cache these files forever.
 */
export function localizeAssets(assets: string, catalogues: Catalogues): LocalizedAssets {
  const files = new Map(
    readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
  );
  const localized = localizedFiles(files);
  const folders: Record<string, string> = {};
  for (const [locale, messages] of catalogues) {
    const hash = createHash('sha256')
      .update(JSON.stringify([...messages]))
      .digest('hex')
      .slice(0, 8);
    const folder = `${locale}-${hash}`;
    folders[locale] = folder;
    mkdirSync(join(assets, folder), { recursive: true });
    for (const name of localized) {
      const code = withReferences(withSentences(files.get(name) ?? '', locale, messages), folder, localized);
      writeFileSync(join(assets, folder, name), code);
    }
  }
  for (const name of localized) rmSync(join(assets, name));
  return { folders, files: [...localized].sort() };
}

/** Returns the files with placeholders, and all files that reference them, directly or indirectly. */
function localizedFiles(files: Map<string, string>): Set<string> {
  const localized = new Set(
    [...files].filter(([, code]) => /__m__\(|__locale__/.test(code)).map(([name]) => name),
  );
  const importers = new Map<string, string[]>();
  for (const [name, code] of files)
    for (const [, , target = ''] of code.matchAll(REFERENCE))
      importers.set(target, [...(importers.get(target) ?? []), name]);
  for (const name of localized) for (const importer of importers.get(name) ?? []) localized.add(importer);
  return localized;
}

function withSentences(code: string, locale: string, messages: Map<string, CompiledMessage>): string {
  const replacePlaceholder = (_: string, _quote: string, key: string, formatted?: string, call = '') => {
    const message = messages.get(key);
    if (!message) throw new Error(`No message "${key}" in ${locale}`);
    if (formatted) return `(i=>${message.code})(`;
    return call && message.code.startsWith('()=>')
      ? message.code.slice('()=>'.length)
      : `(${message.code})${call}`;
  };
  return code.replaceAll('__locale__', JSON.stringify(locale)).replace(PLACEHOLDER, replacePlaceholder);
}

const withReferences = (code: string, folder: string, localized: ReadonlySet<string>) =>
  code.replace(REFERENCE, (reference, base: string, name: string) => {
    if (base === './') return localized.has(name) ? reference : `../${name}`;
    return localized.has(name) ? `${base}${folder}/${name}` : reference;
  });
