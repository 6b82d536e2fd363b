import { BASE, type Catalogues } from './catalogues.ts';

/**
 * Returns the code of a module with every message of every language. It uses the request's language, from
 * src/platform/locale.server.ts, and creates a language on first use, because no process needs all of them at startup.
 * `project` is the path from the module to the project's folder.
 */
export function serverModule(catalogues: Catalogues, project: string): string {
  const english = [...(catalogues.get(BASE) ?? [])];
  const plain = new Set(
    english.filter(([, message]) => Object.keys(message.placeholders).length === 0).map(([key]) => key),
  );
  const tables = [...catalogues].map(([locale, messages]) => {
    const entries = [...messages].map(
      ([key, { code }]) => `${JSON.stringify(key)}:${plain.has(key) ? code.replace('()=>', '') : code}`,
    );
    return `${JSON.stringify(locale)}:()=>({${entries.join(',\n')}})`;
  });
  const functions = english.map(([key]) =>
    plain.has(key) ? `${key}: () => all().${key}` : `${key}: (v) => all().${key}(v)`,
  );
  return `
import { locale } from ${JSON.stringify(`${project}/src/platform/locale.server.ts`)};
import { richMessageFormat as i } from ${JSON.stringify(`${project}/src/shared/rich-message-format.ts`)};
const languages = {${tables.join(',\n')}};
const made = {};
const all = () => { const name = locale(); return made[name] ??= languages[name](); };
export { locale };
export const locales = ${JSON.stringify([...catalogues.keys()])};
export const m = {${functions.join(',\n')}};
`;
}
