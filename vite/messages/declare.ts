import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BASE, type Catalogues, MESSAGES_FOLDER, readCatalogues } from './catalogues.ts';
import { serverModule } from './server-module.ts';

// Writes `#messages` as files: its types, and the code for programs that run without Vite (package.json, imports).

const types = { text: 'string | number', number: 'number', date: 'Date | number', tag: 'RichText' } as const;

/** Declares a function for each message of the English catalogue. */
function declaration(catalogues: Catalogues): string {
  const functions = [...(catalogues.get(BASE) ?? [])].map(([key, { placeholders, needs }]) => {
    const values = Object.entries(placeholders).map(
      ([name, kind]) =>
        `${name}: ${typeof kind === 'string' ? types[kind] : kind.map((option) => `'${option}'`).join(' | ')}`,
    );
    const parameters = values.length === 0 ? '' : `values: { ${values.join('; ')} }`;
    return `    ${key}(${parameters}): ${needs === 'rich' ? 'ReactNode' : 'string'};`;
  });
  const locales = [...catalogues.keys()].map((locale) => `'${locale}'`).join(' | ');
  return `declare module '#messages' {
  import type { ReactNode } from 'react';
  type RichText = (text: string) => ReactNode;
  export type Locale = ${locales};
  /** The language of the page, or on the server of the request. */
  export function locale(): Locale;
  /** Every language that has a catalogue. */
  export const locales: readonly Locale[];
  /** The sentences of messages/*.json, in that language. */
  export const m: {
${functions.join('\n')}
  };
}
`;
}

const folder = fileURLToPath(new URL('../../.messages', import.meta.url));
mkdirSync(folder, { recursive: true });
const catalogues = readCatalogues(MESSAGES_FOLDER);
writeFileSync(`${folder}/messages.d.ts`, declaration(catalogues));
writeFileSync(`${folder}/messages.js`, serverModule(catalogues, '..'));
