import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { build, type Plugin } from 'vite';
import { messages } from '../../vite/messages/plugin.ts';
import { standaloneModules } from '../../vite/standalone-modules.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** A code block of the document. */
export interface Step {
  path: string;
  kind: 'new' | 'change';
  lines: string[];
}

/** Returns the steps of docs/adding-a-tool.md: `New` or `Change`, a path, and the blocks that follow. */
export function readSteps(): Step[] {
  const text = readFileSync(join(root, 'docs/adding-a-tool.md'), 'utf8');
  const steps: Step[] = [];
  let to: Pick<Step, 'path' | 'kind'> | undefined;
  for (const [, verb, path, , body = ''] of text.matchAll(
    /^(New|Change) `([^`]+)`:$|^```(\w+)\n(.*?)^```$/gms,
  )) {
    if (path) to = { path, kind: verb === 'New' ? 'new' : 'change' };
    else if (to) steps.push({ ...to, lines: body.trimEnd().split('\n') });
  }
  return steps;
}

/**
 * Applies a change: unmarked lines must exist, `+` lines are added. @throws when the unmarked lines do not occur
 * exactly once.
 */
function changed(text: string, { path, lines }: Step): string {
  const [before, after] = [/^ /, /^[ +]/].map((pattern) =>
    lines.flatMap((line) => (pattern.test(line) ? [`${line.slice(1)}\n`] : [])).join(''),
  ) as [string, string];
  const parts = text.split(before);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times:\n${before}`);
  return parts.join(after);
}

/** Copies the source tree and applies the document's steps to it. */
export function copyWithSteps(steps: readonly Step[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'seventh-tool-'));
  const parts = [
    'src',
    'content',
    'messages',
    'migrations',
    'standins',
    'public',
    'vite',
    'package.json',
    'tsconfig.json',
  ];
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const step of steps) {
    const path = join(copy, step.path);
    mkdirSync(dirname(path), { recursive: true });
    const text =
      step.kind === 'new' ? `${step.lines.join('\n')}\n` : changed(readFileSync(path, 'utf8'), step);
    writeFileSync(path, text, { flag: step.kind === 'new' ? 'wx' : 'w' });
  }
  return copy;
}

const VIRTUAL = 'virtual:react-router/server-build';

/** Replaces React Router's server build without building a browser bundle: pages render but do not hydrate. */
function pagesOnly(copy: string, routes: readonly RouteConfigEntry[]): Plugin {
  const app = join(copy, 'src/app');
  const modules = routes.map(
    ({ file }, at) => `import * as route${at} from ${JSON.stringify(join(app, file))};`,
  );
  const rows = routes.map(
    ({ file, path, index }, at) =>
      `${JSON.stringify({ id: file, parentId: 'root', path, index }).slice(0, -1)}, module: route${at} }`,
  );
  const routeEntry = (id: string) => [id, { id, module: '/', imports: [], hasLoader: true }];
  const assets = {
    entry: { module: '/', imports: [] },
    routes: Object.fromEntries(['root', ...routes.map(({ file }) => file)].map(routeEntry)),
    url: '/',
    version: '',
  };
  return {
    name: 'pages-alone',
    enforce: 'pre',
    resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : null),
    load(id) {
      if (/\.css(\?inline)?$/.test(id)) return '';
      if (id !== `\0${VIRTUAL}`) return null;
      return `${modules.join('\n')}
        import * as root from ${JSON.stringify(join(app, 'root.tsx'))};
        import * as entryServer from ${JSON.stringify(join(app, 'entry.server.tsx'))};
        export const assets = ${JSON.stringify(assets)}, entry = { module: entryServer };
        export const assetsBuildDirectory = '', basename = '/', publicPath = '/', future = {}, prerender = [];
        export const ssr = true, isSpaMode = false, routeDiscovery = { mode: 'initial' };
        export const routes = { root: { id: 'root', path: '', module: root }, ${rows
          .map((row, at) => `${JSON.stringify(routes[at]?.file)}: ${row}`)
          .join(', ')} };`;
    },
  };
}

/** Builds the server of a copy. @returns the folder of its entries. */
export async function buildServer(copy: string): Promise<string> {
  const { default: routes } = (await import(pathToFileURL(join(copy, 'src/app/routes.ts')).href)) as {
    default: RouteConfigEntry[];
  };
  const server = join(copy, 'build/server');
  await build({
    root: copy,
    configFile: false,
    logLevel: 'error',
    // Otherwise Vitest's NODE_ENV would select the development build of React.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    plugins: [pagesOnly(copy, routes), messages(), standaloneModules()],
    ssr: { noExternal: true, external: ['sharp', 'subset-font'] },
    build: {
      ssr: true,
      outDir: server,
      target: 'node24',
      minify: false,
      copyPublicDir: false,
      rollupOptions: {
        input: { main: join(copy, 'src/app/main.server.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  mkdirSync(join(copy, 'build/client'), { recursive: true });
  writeFileSync(join(server, 'localized-assets.json'), JSON.stringify({ folders: {}, files: [] }));
  return server;
}

/** Returns the compiler's output for the product code of the copy, without tests. */
export async function typeErrors(copy: string): Promise<string> {
  const project = {
    extends: './tsconfig.json',
    include: ['src', '.messages/**/*'],
    exclude: ['**/*.test.*', '**/*.fixture.*'],
  };
  writeFileSync(join(copy, 'tsconfig.product.json'), JSON.stringify(project));
  await run(process.execPath, ['vite/messages/declare.ts'], { cwd: copy });
  const compiler = join(root, 'node_modules/.bin/tsc');
  const { stdout } = await run(compiler, ['-p', 'tsconfig.product.json', '--checkers', '1'], {
    cwd: copy,
  }).catch((failed: { stdout: string }) => failed);
  return stdout;
}
