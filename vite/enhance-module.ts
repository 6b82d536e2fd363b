import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { messages } from './messages/plugin.ts';

const ENTRY = fileURLToPath(new URL('../src/app/shell/enhance/main.ts', import.meta.url));
const VIRTUAL = 'virtual:enhance';

interface Built {
  code: string;
  file: string;
}

async function bundle(): Promise<Built> {
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    plugins: [messages()],
    transform: { target: 'es2022' },
  });
  const { output } = await build.generate({ format: 'es', minify: true, codeSplitting: false });
  await build.close();
  const code = output[0].code;
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 10);
  return { code, file: `assets/enhance-${hash}.js` };
}

/**
 * Builds the small module of the public pages (theme, dialogs, sign-in) apart from React, and offers
 * `import { url } from 'virtual:enhance'`. The client build emits the file; both builds name it by its content.
 */
export function enhanceModule(): Plugin {
  let built: Promise<Built> | undefined;
  const current = () => {
    built ??= bundle();
    return built;
  };
  return {
    name: 'enhance-module',
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : null),
    async load(id) {
      if (id !== `\0${VIRTUAL}`) return null;
      const { file } = await current();
      return `export const url = ${JSON.stringify(`/${file}`)};`;
    },
    async buildStart() {
      if (this.environment.name !== 'client' || this.environment.mode !== 'build') return;
      const { code, file } = await current();
      this.emitFile({ type: 'asset', fileName: file, source: code });
    },
    configureServer(server) {
      server.watcher.on('change', (path) => {
        if (path.includes('/shell/enhance/')) built = undefined;
      });
      server.middlewares.use(async (request, response, next) => {
        if (!request.url?.startsWith('/assets/enhance-')) return next();
        response.setHeader('content-type', 'text/javascript');
        response.end((await current()).code);
      });
    },
  };
}
