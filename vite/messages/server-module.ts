import { BASE, type Catalogues } from './catalogues.ts';

/**
 * Code of a module with every message of every language, by the language that src/platform/locale.server.ts knows of the
 * request. `project` leads from the module to the project's folder.
 */
export function serverModule(catalogues: Catalogues, project: string): string {
  const tables = [...catalogues].map(([locale, messages]) => {
    const entries = [...messages].map(([key, { code }]) => `${JSON.stringify(key)}:${code}`);
    return `${JSON.stringify(locale)}:{${entries.join(',\n')}}`;
  });
  const keys = [...(catalogues.get(BASE)?.keys() ?? [])];
  return `
import { locale } from ${JSON.stringify(`${project}/src/platform/locale.server.ts`)};
import { richMessageFormat as i } from ${JSON.stringify(`${project}/src/shared/rich-message-format.ts`)};
const all = {${tables.join(',\n')}};
export { locale };
export const locales = ${JSON.stringify([...catalogues.keys()])};
export const m = {${keys.map((key) => `${key}: (v) => all[locale()].${key}(v)`).join(',\n')}};
`;
}
