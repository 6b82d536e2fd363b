import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { type Catalogues, MESSAGES_FOLDER, readCatalogues } from './catalogues.ts';
import { checkEvaluation, replaceMessages } from './placeholders.ts';
import { serverModule } from './server-module.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const MODULE = '\0messages';

/**
 * Offers `import { m, locale } from '#messages'`. On the server this is one module with every language. In the browser
 * there is no such module: each `m.key` becomes a placeholder, and ./localize.ts writes a copy of each file per
 * language with the messages filled in, so that a page loads only its own messages in its own language.
 */
export function messages(): Plugin {
  let catalogues: Catalogues;
  return {
    name: 'messages',
    enforce: 'pre',
    buildStart() {
      catalogues = readCatalogues(MESSAGES_FOLDER);
      this.addWatchFile(MESSAGES_FOLDER);
    },
    resolveId: (id) => (id === '#messages' ? MODULE : null),
    load: (id) => (id === MODULE ? serverModule(catalogues, project) : null),
    transform: {
      filter: { id: /\.tsx?$/, code: '#messages' },
      handler(code, id) {
        const lang = id.endsWith('x') ? 'tsx' : 'ts';
        const tree = this.parse(code, { lang });
        checkEvaluation(tree);
        if (this.environment && this.environment.name !== 'client') return null;
        return { code: replaceMessages(code, tree, catalogues), map: null };
      },
    },
  };
}
