import type { Plugin } from 'vite';

/** One of React Router's own modules; its id may end with a query. */
const ROUTER = /\/react-router\/dist\/production\/(?:lib|vendor)\/([\w./-]+)\.js/;
/** Uses in our sources that would need a removed part. */
const UNSUPPORTED =
  /\bexport [\w ]*\b(client(?:Loader|Action|Middleware))\b|\b(viewTransition)\b|import \{[^}]*\b(Form|NavLink|ScrollRestoration|useFetchers?|useSubmit|useViewTransitionState)\b[^}]*\} from 'react-router'/;

interface Parts {
  /** Replacements, applied wherever the text occurs. */
  texts?: [text: string | RegExp, replacement: string][];
  /** New bodies for functions that no page calls, or whose result is the same on all pages. */
  bodies?: Record<string, string>;
}

/** Messages for developers, which `npm run dev` keeps. */
const MESSAGE =
  /(\binvariant\(.*?), (?:"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|getDataRouterConsoleError\(hookName\))\);$/gm;

const NEVER = 'throw Error("left out")';

/** Pages of the app know all routes at startup, load data only on the server, and send changes to the API. */
const parts: Record<string, Parts> = {
  'router/router': {
    texts: [
      // Form submissions
      [
        'let { path, submission, error } = normalizeNavigateOptions(false, normalizeTo(',
        'let submission, error, path = (normalizeTo(',
      ],
      ['opts?.relative), opts);\n\t\tlet maskPath', 'opts?.relative));\n\t\tlet maskPath'],
      [/(?<!function )isMutationMethod\([\w.]+\)/g, 'false'],
      ['opts && opts.submission, opts && opts.fetcherSubmission', 'null, null'],
      [/(?<!function )getSubmissionFromNavigation\([\w.]+\)/g, 'null'],
      [/let \{ formMethod, formAction, formEncType \} = state\.navigation;\n.*\n/, ''],
      // Instrumentation
      ['init.instrumentations', 'null'],
      ['consumeInstrumentationClientResultMetaReceiver(router)', 'null'],
      ['opts?.instrumentationNavigateMetaReceiver', 'null'],
      // Routes that are discovered one by one
      ['init.patchRoutesOnNavigation', 'null'],
      ['let initialMatchesIsFOW = false;', ''],
      ['initialMatchesIsFOW = true;', ''],
      ['!initialMatchesIsFOW', 'true'],
      [/(?<!function )checkFogOfWar\([^()]+\)/g, '({ active: false, matches: null })'],
      ['if (isFogOfWar) {', 'if (false) {'],
      ['future.unstable_routePatternMatching', 'false'],
      // Routes with a function that loads them
      ['typeof route.lazy === "function"', 'false'],
      // Fetchers
      [/\tfetchLoadMatches\.forEach\(\(f, key\) => \{[\s\S]*?\n\t\}\);\n/, ''],
      [/\trevalidatingFetchers\.filter\(\(f\) => [\s\S]*?\n\t\}\);\n/, ''],
      [/let unmountedFetchers = \[\];\n[\s\S]*?(?=\t\tif \(subscribers\.size)/, ''],
      ['deletedFetchers: unmountedFetchers', 'deletedFetchers: []'],
      [/\t\tunmountedFetchers\.forEach.*\n\t\tmountedFetchers.*\n/, ''],
      [/let fetcherResultsPromise = [\s\S]*?\n\t\t\}\)\);\n/, ''],
      ['(await fetcherResultsPromise).reduce((acc, r) => Object.assign(acc, r), {})', '{}'],
      // View transitions
      [
        /if \(pendingAction === "POP" && !isUninterruptedRevalidation && [\s\S]*?\n\t\t\}\n(?=\t\tupdateState\(\{)/,
        '',
      ],
      ['if (isBrowser) {\n\t\t\trestoreAppliedTransitions', 'if (false) {\n\t\t\trestoreAppliedTransitions'],
      // Middleware
      [
        /let runClientMiddleware = [\s\S]*?(?=\tlet results = await dataStrategyImpl)/,
        'let runClientMiddleware;\n',
      ],
    ],
    bodies: {
      fetch: NEVER,
      handleAction: NEVER,
      handleFetcherAction: NEVER,
      handleFetcherLoader: NEVER,
      discoverRoutes: NEVER,
      patchRoutes: NEVER,
      getFetcher: NEVER,
      resetFetcher: NEVER,
      queueFetcherForDeletion: NEVER,
      enableScrollRestoration: NEVER,
      _internalSetRoutes: NEVER,
      defaultDataStrategyWithMiddleware: NEVER,
      getUpdatedRevalidatingFetchers: NEVER,
      getSavedScrollPosition: 'return null',
      saveScrollPosition: '',
      interruptActiveLoads: 'isRevalidationRequired = true',
      markFetchRedirectsDone: 'return false',
      abortStaleFetchLoads: 'return false',
      deleteFetcher: '',
      abortFetcher: '',
      getInternalRouterError:
        'return new ErrorResponseImpl(status, status === 404 ? "Not Found" : "", Error(pathname), true)',
    },
  },
  'router/instrumentation': {
    bodies: { getRouteInstrumentationUpdates: NEVER, instrumentClientSideRouter: NEVER },
  },
  'router/history': { bodies: { warning: '' } },
  'server-runtime/warnings': { bodies: { warnOnce: '' } },
  components: {
    texts: [
      [
        /let isViewTransitionAvailable = [\s\S]*?\n\t\tif \(!viewTransitionOpts \|\| !isViewTransitionAvailable\) \{/,
        'if (true) {',
      ],
      [/\tReact\$1\.useEffect\(\(\) => \{\n\t\tif \(vtContext[\s\S]*?(?=\tlet navigator = )/, ''],
      [/let \[(?:pendingState|renderDfd|transition|interruption), \w+\] = React\$1\.useState\(\);/g, ''],
      ['\t\ttransition,\n\t\trenderDfd,\n', ''],
    ],
  },
  hooks: {
    texts: [['if (this.context', 'if (false']],
    bodies: { RSCErrorHandler: NEVER, useNavigateUnstable: NEVER, DefaultErrorComponent: NEVER },
  },
  'dom/lib': {
    texts: [
      [/^(?:NavLink|Form)\.displayName = .*$/gm, ''],
      [/(?<=^const (?:NavLink|Form) = )/gm, '/* @__PURE__ */ '],
    ],
  },
  'dom/ssr/components': {
    texts: [
      ['if (rsc) return', 'if (false) return'],
      [/typeof criticalCss === "\w+"/g, 'false'],
      ['isPageLinkDescriptor(link)', 'false'],
      [
        /let contextScript = [\s\S]*?(?=\t\treturn \/\* @__PURE__ \*\/ React\$1\.createElement\(React\$1\.Fragment, null, \/\* @__PURE__ \*\/ React\$1\.createElement\("script")/,
        'let contextScript = " ", routeModulesScript = " ";\n',
      ],
    ],
    // Of the pages that a link can prefetch, none has `links`.
    bodies: { RSCPrefetchPageLinksImpl: NEVER, useKeyedPrefetchLinks: 'return []' },
  },
  'dom/ssr/errorBoundaries': {
    texts: [
      // Only errors of the page's own frame get here; visitors do not need a stack trace.
      [/let heyDeveloper = [\s\S]*?\n\t\);?\n(?=\tif)|let heyDeveloper = [\s\S]*?(?=\tif \(isRoute)/, ''],
      [/\tlet errorInstance;\n[\s\S]*?(?=\treturn)/, ''],
      [/, \/\* @__PURE__ \*\/ React\$1\.createElement\("pre"[\s\S]*?heyDeveloper\)/, ')'],
    ],
  },
  'dom/ssr/fog-of-war': {
    bodies: {
      isFogOfWarEnabled: 'return false',
      getPartialManifest: NEVER,
      getPatchRoutesOnNavigationFunction: '',
      useFogOFWarDiscovery: '',
    },
  },
  'dom/ssr/single-fetch': {
    texts: [['async (args) => args.runClientMiddleware(dataStrategy)', 'dataStrategy']],
    bodies: {
      singleFetchActionStrategy: NEVER,
      nonSsrStrategy: NEVER,
      singleFetchLoaderFetcherStrategy: NEVER,
    },
  },
  'dom/ssr/routes': {
    texts: [
      [/loader: route\.hasClientLoader \? [\s\S]*?(?=\t\t\t\tshouldRevalidate: async)/, ''],
      [/dataRoute\.action = \(\{ request[\s\S]*?\n\t\t\t\};\n/, ''],
      [/if \(!route\.hasClientAction\) dataRoute\.action = [\s\S]*?\n\t\t\t\}\);\n/, ''],
      [
        /if \(!routeModule\.clientLoader\) return fetchServerLoader\(singleFetch\);\n[\s\S]*?\n\t\t\t\t\t\}\);\n/,
        'return fetchServerLoader(singleFetch);\n',
      ],
    ],
    bodies: { prefetchRouteModuleChunks: '', getShouldRevalidateFunction: 'return route.shouldRevalidate' },
  },
  'dom-export/hydrated-router': {
    texts: [[/\trouter\.createRoutesForHMR = .*\n/, '']],
  },
};

/** Removes the parts of React Router that no page of the app uses: two fifths of it. */
export function routerParts(): Plugin {
  const seenModules = new Set<string>();
  return {
    name: 'router-parts',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform: {
      filter: { id: [ROUTER, /\/src\/.*\.tsx?$/] },
      handler(code, id) {
        const module = ROUTER.exec(id)?.[1];
        if (module === undefined) {
          const feature = UNSUPPORTED.exec(code)?.slice(1).find(Boolean);
          if (feature)
            this.error(`${feature} needs a part of React Router that vite/router-parts.ts leaves out.`);
          return null;
        }
        seenModules.add(module);
        const stripped = removeParts(code, parts[module] ?? {}, (part) => this.error(`${id} has no ${part}`));
        return { code: stripped.replace(MESSAGE, '$1);'), map: null };
      },
    },
    buildEnd(error) {
      const missing = Object.keys(parts).filter((module) => !seenModules.has(module));
      if (!error && missing.length > 0) this.error(`React Router has no ${missing.join(', ')}`);
    },
  };
}

function removeParts(
  code: string,
  { texts = [], bodies = {} }: Parts,
  fail: (part: string) => never,
): string {
  let result = code;
  for (const [text, replacement] of texts) {
    const next =
      typeof text === 'string' ? result.replaceAll(text, replacement) : result.replace(text, replacement);
    if (next === result) fail(String(text));
    result = next;
  }
  for (const [name, body] of Object.entries(bodies)) {
    const pattern = new RegExp(
      `^(\\t*)((?:async )?function ${name}\\([^\\n]*\\) \\{\\n)[\\s\\S]*?^\\1\\}`,
      'm',
    );
    const next = result.replace(pattern, (_, indent, head) => `${indent}${head}${body}\n${indent}}`);
    if (next === result) fail(`function ${name}`);
    result = next;
  }
  return result;
}
