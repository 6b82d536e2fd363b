import { basename } from 'node:path';
import type { Plugin } from 'vite';

/** Code that every page of the app loads and that changes only with a package version. */
const FRAMEWORK = /\/node_modules\/(react|react-dom|react-router|scheduler)\/|^\0rolldown\/runtime/;
/** A module that React Router makes from a route. */
const ROUTE = /\.route\.tsx\?__react-router-build-client-route$/;
/**
 * Modules that stay in their own files: style sheets; the entry, which runs when it is loaded; and routes, which may
 * wait for more scripts, so that no module those scripts need may be in a route's file.
 */
const OWN_FILE = /\.css$|\.route\.tsx|\/entry\.client\.tsx/;
export const APP_PAGE = /\bpage: ["']app["']/;
const CHAT = 'chat';
/** Modules that a chat loads once it has messages. */
const MESSAGES = 'messages';
/** Below this many characters of source, a separate file costs more than it saves the pages that do not need it. */
const SMALL_SIZE = 4_000;
const TINY_SIZE = 1_200;

/** Names of the pages of the app that load a module at startup, by module id. */
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

/** A built file that all pages of the app, or the chat, share. */
const APP_FILE = /\/(app|chat)-[\w-]{8}\.js$/;
const ALREADY_LOADED = /\/(rolldown-runtime|framework|app|root)-[\w-]{8}\.(js|css)$/;

/** Preloads for a script that `host` imports later, without the files that every app page has already loaded. */
export const filesToPreload = (dependencies: string[], host: string): string[] =>
  APP_FILE.test(host) ? dependencies.filter((path) => !ALREADY_LOADED.test(path)) : dependencies;

/**
 * Gathers code that pages of the app share into few files. The bundler would make one for each combination of pages,
 * menus and dialogs, and a first load of 44 scripts would delay the style sheets.
 */
export function pageChunks(): Plugin {
  let files = new Map<string, string>();
  return {
    name: 'page-chunks',
    applyToEnvironment: ({ name }) => name === 'client',
    configEnvironment(name, { build }) {
      const output = build?.rollupOptions?.output;
      if (name !== 'client' || !output || Array.isArray(output)) return;
      // Assigns only the listed modules to a file, not their dependencies, least of all a page's style sheets.
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
  const fileOf = (id: string, pageNames: Set<string>) => {
    const isMessages = pageNames.has(MESSAGES);
    // An icon that a dialog also shows would become a separate file.
    if (isMessages && pageNames.size === 1) return sizeOf(id) < TINY_SIZE ? 'message-parts' : null;
    if (isMessages && pageNames.size === 2 && pageNames.has(CHAT)) return CHAT;
    if (isMessages || pageNames.has('root') || (pageNames.has(CHAT) && pageNames.size > 1)) return 'app';
    // The chat, where most visits start, needs none of these modules.
    if (pageNames.size > 4) return 'pages';
    const isToolOnly = [...pageNames].every((page) => tools.has(page));
    const isSmall = pageNames.size > 1 && (sizes.get(keyOf(id)) ?? 0) < SMALL_SIZE;
    if (isSmall && !isToolOnly) return 'pages';
    const file = isToolOnly && (isSmall || pageNames.size > 2) ? 'tools' : keyOf(id);
    // Other pages must not load the whole file for this module, nor public pages the style sheets of an app page.
    return [...(others.get(id) ?? [])].some((page) => !pageNames.has(page)) ? `${file}-shared` : file;
  };
  const files = new Map<string, string>();
  for (const [id, pageNames] of pages) {
    const isExcluded = FRAMEWORK.test(id) || OWN_FILE.test(id);
    const file = isExcluded ? null : fileOf(id, pageNames);
    if (file) files.set(id, file);
  }
  for (const id of markdown.keys()) if (!pages.has(id)) files.set(id, 'markdown');
  return files;
}

/**
 * Returns `pages`: the pages of the app, by route name, that load a module at startup; `others`: all pages that load it
 * at any time, including public ones; `markdown`: the modules that render Markdown.
 */
function pagesOfModules(graph: Graph): Record<'pages' | 'others' | 'markdown', Pages> {
  const pages: Pages = new Map();
  const others: Pages = new Map();
  const markdown: Pages = new Map();
  const visit = (id: string, page: string, target: Pages) => {
    const known = target.get(id) ?? new Set();
    if (known.has(page)) return;
    target.set(id, known.add(page));
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.module(id) ?? {};
    for (const next of importedIds) visit(next, page, target);
    if (target === others) for (const next of dynamicallyImportedIds) visit(next, page, target);
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

/** Pages that use the frame of a tool. */
function toolPages(graph: Graph, pages: Pages): Set<string> {
  const frame = [...graph.ids()].find((id) => id.endsWith('/features/tools/web/tool-page.tsx'));
  return pages.get(frame ?? '') ?? new Set();
}
