import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { messages } from './messages/plugin.ts';

const source = (path: string) => fileURLToPath(new URL(`../src/app/${path}`, import.meta.url));

/** Source files by the names of their virtual modules. */
const entries = new Map([
  ['enhance', source('shell/enhance/main.ts')],
  ['keep-on-device', source('offline/keep-on-device.ts')],
  ['offline-page', source('offline/offline-page.ts')],
  ['service-worker', source('offline/service-worker.ts')],
]);
/** The server build contains its code, because it is served at a fixed URL, after values that only the server knows. */
const inServerBuild = 'service-worker';

interface Bundle {
  code: string;
  file: string;
}

async function bundle(name: string, input: string, others: Plugin): Promise<Bundle> {
  const build = await rolldown({
    input,
    platform: 'browser',
    plugins: [messages(), others],
    transform: { target: 'es2022' },
  });
  const { output } = await build.generate({ format: 'es', minify: true, codeSplitting: false });
  await build.close();
  const code = output[0].code;
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 10);
  return { code, file: `assets/${name}-${hash}.js` };
}

const nameOf = (id: string, mark: string) =>
  id.startsWith(mark) && entries.has(id.slice(mark.length)) ? id.slice(mark.length) : null;

/**
 * Bundles small modules without React: the script of every page (theme, dialogs, sign-in), the one for kept chats and
 * notifications, the offline page, and the service worker. Offers `import { url } from 'virtual:enhance'` and the like.
 * The client build emits the files; both builds name them by their content.
 */
export function standaloneModules(): Plugin {
  const built = new Map<string, Promise<Bundle>>();
  const current = (name: string) => {
    const bundled = built.get(name) ?? bundle(name, entries.get(name) ?? '', others);
    built.set(name, bundled);
    return bundled;
  };
  /** Lets these modules import the names of others. */
  const others: Plugin = {
    name: 'standalone-module-names',
    resolveId: (id) => (nameOf(id, 'virtual:') ? `\0${id}` : null),
    async load(id) {
      const name = nameOf(id, '\0virtual:');
      if (!name) return null;
      const { code, file } = await current(name);
      return name === inServerBuild
        ? `export const code = ${JSON.stringify(code)};`
        : `export const url = ${JSON.stringify(`/${file}`)};`;
    },
  };
  return {
    ...others,
    name: 'standalone-modules',
    async buildStart() {
      if (this.environment.name !== 'client' || this.environment.mode !== 'build') return;
      for (const name of entries.keys()) {
        if (name === inServerBuild) continue;
        const { code, file } = await current(name);
        this.emitFile({ type: 'asset', fileName: file, source: code });
      }
    },
    configureServer(server) {
      server.watcher.on('change', (path) => {
        if (/\/(shell\/enhance|offline)\//.test(path)) built.clear();
      });
      server.middlewares.use(async (request, response, next) => {
        const name = /^\/assets\/([a-z-]+)-[0-9a-f]{10}\.js/.exec(request.url ?? '')?.[1] ?? '';
        if (!entries.has(name)) return next();
        response.setHeader('content-type', 'text/javascript');
        response.end((await current(name)).code);
      });
    },
  };
}
