import { basename } from 'node:path';
import type { Plugin } from 'vite';

/** What every page of the app loads and only a new version of a package changes. */
const FRAMEWORK = /\/node_modules\/(react|react-dom|react-router|scheduler)\/|^\0rolldown\/runtime/;
/** A module as React Router makes it of a route. */
const ROUTE = /\.route\.tsx\?__react-router-build-client-route$/;
/**
 * Sheets; the entry, which runs when it is loaded; and the routes, which may wait for more scripts: what those need must
 * not wait for the route.
 */
const OWN_FILE = /\.css$|\.route\.tsx|\/entry\.client\.tsx/;
export const APP_PAGE = /\bpage: ["']app["']/;
const CHAT = 'chat';
/** What a chat loads once it has messages. */
const MESSAGES = 'messages';
/** Characters of source below which a file of its own costs more than it saves the pages that do not need it. */
const SMALL = 4_000;
const TINY = 1_200;

/** Pages of the app by the modules that they load from the start. */
type Pages = Map<string, Set<string>>;

interface Module {
  code: string | null;
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

interface Graph {
  ids(): Iterable<string>;
  module(id: string): Module | null;
}

/** A file of all pages of the app, or of the chat, as the build names it. */
const OF_THE_APP = /\/(app|chat)-[\w-]{8}\.js$/;
const LOADED = /\/(rolldown-runtime|framework|app|root)-[\w-]{8}\.(js|css)$/;

/** What is fetched ahead with a script that `host` asks for later: not what stands on each page of the app already. */
export const fetchedAhead = (needed: string[], host: string): string[] =>
  OF_THE_APP.test(host) ? needed.filter((path) => !LOADED.test(path)) : needed;

/**
 * Gathers what pages of the app share into few files, where the bundler alone makes one for each set of pages, menus and
 * dialogs that happens: a first load would be 44 scripts, which keep the style sheets waiting.
 */
export function pageChunks(): Plugin {
  let files = new Map<string, string>();
  return {
    name: 'page-chunks',
    applyToEnvironment: ({ name }) => name === 'client',
    configEnvironment(name, { build }) {
      const output = build?.rollupOptions?.output;
      if (name !== 'client' || !output || Array.isArray(output)) return;
      // Each file is named with all that its modules need: nothing has to be drawn in, the sheets of a page least of all.
      build.rollupOptions!.preserveEntrySignatures = 'allow-extension';
      output.codeSplitting = {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'framework', test: FRAMEWORK, priority: 1 },
          { debugName: 'pages', name: (id) => files.get(id) ?? null },
        ],
      };
    },
    buildEnd() {
      files = filesOfModules({ ids: () => this.getModuleIds(), module: (id) => this.getModuleInfo(id) });
    },
  };
}

function filesOfModules(graph: Graph): Map<string, string> {
  const { pages, others, markdown } = pagesOfModules(graph);
  const sizeOf = (id: string) => graph.module(id)?.code?.length ?? 0;
  const keyOf = (id: string) => [...(pages.get(id) ?? [])].sort().join('-');
  const sizes = new Map<string, number>();
  for (const id of pages.keys()) sizes.set(keyOf(id), (sizes.get(keyOf(id)) ?? 0) + sizeOf(id));
  const tools = toolPages(graph, pages);
  const fileOf = (id: string, used: Set<string>) => {
    const isMessages = used.has(MESSAGES);
    // An icon that a dialog shows too would be a file of its own.
    if (isMessages && used.size === 1) return sizeOf(id) < TINY ? 'message-parts' : null;
    if (isMessages && used.size === 2 && used.has(CHAT)) return CHAT;
    if (isMessages || used.has('root') || (used.has(CHAT) && used.size > 1)) return 'app';
    // A chat, which is where most begin, needs nothing of it.
    if (used.size > 4) return 'pages';
    const amongTools = [...used].every((page) => tools.has(page));
    const small = used.size > 1 && (sizes.get(keyOf(id)) ?? 0) < SMALL;
    if (small && !amongTools) return 'pages';
    const file = amongTools && (small || used.size > 2) ? 'tools' : keyOf(id);
    // Who needs only this of it would load the rest, and a public page the sheets of a page of the app.
    return [...(others.get(id) ?? [])].some((page) => !used.has(page)) ? `${file}-shared` : file;
  };
  const files = new Map<string, string>();
  for (const [id, used] of pages) {
    const left = FRAMEWORK.test(id) || OWN_FILE.test(id);
    const file = left ? null : fileOf(id, used);
    if (file) files.set(id, file);
  }
  for (const id of markdown.keys()) if (!pages.has(id)) files.set(id, 'markdown');
  return files;
}

/**
 * The pages of the app that load a module from the start, by the names of their routes; the pages that load it later or
 * are public ones; and what shows Markdown.
 */
function pagesOfModules(graph: Graph): Record<'pages' | 'others' | 'markdown', Pages> {
  const pages: Pages = new Map();
  const others: Pages = new Map();
  const markdown: Pages = new Map();
  const visit = (id: string, page: string, of: Pages) => {
    const known = of.get(id) ?? new Set();
    if (known.has(page)) return;
    of.set(id, known.add(page));
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.module(id) ?? {};
    for (const next of importedIds) visit(next, page, of);
    if (of === others) for (const next of dynamicallyImportedIds) visit(next, page, of);
  };
  const isAppPage = (id: string) => APP_PAGE.test(graph.module(id.replace(/\?.*/, ''))?.code ?? '');
  for (const id of graph.ids()) {
    if (id.endsWith('/message-list/message-list.tsx')) visit(id, MESSAGES, pages);
    if (id.endsWith('/ui/markdown/markdown.tsx')) visit(id, 'markdown', markdown);
    if (/\/src\/app\/(root|entry\.client)\.tsx/.test(id)) visit(id, 'root', pages);
    if (!ROUTE.test(id)) continue;
    const page = basename(id).replace(/\.route.*/, '');
    if (isAppPage(id)) visit(id, page, pages);
    visit(id, page, others);
  }
  return { pages, others, markdown };
}

/** Those with the frame of a tool. */
function toolPages(graph: Graph, pages: Pages): Set<string> {
  const frame = [...graph.ids()].find((id) => id.endsWith('/features/tools/web/tool-page.tsx'));
  return pages.get(frame ?? '') ?? new Set();
}
