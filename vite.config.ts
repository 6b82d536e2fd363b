import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { iconModules, smallIcons } from './vite/icon-modules.ts';
import { lexerOnly } from './vite/lexer-only.ts';
import { messages } from './vite/messages/plugin.ts';
import { filesToPreload, pageChunks } from './vite/page-chunks.ts';
import { routerParts } from './vite/router-parts.ts';
import { standaloneModules } from './vite/standalone-modules.ts';

/**
 * Entries of the server build: the process and the operator's commands share one module graph. The reader of documents
 * is a process without rights beside it, the makers of cards and files are ones that end with each.
 */
const serverEntries = {
  main: './src/app/main.server.ts',
  audit: './src/app/commands/audit.server.ts',
  backup: './src/app/commands/backup.server.ts',
  billing: './src/app/commands/billing.server.ts',
  contact: './src/app/commands/contact.server.ts',
  doctor: './src/app/commands/doctor.server.ts',
  env: './src/app/commands/env.server.ts',
  move: './src/app/commands/move.server.ts',
  newsletter: './src/app/commands/newsletter.server.ts',
  prompts: './src/app/commands/prompts.server.ts',
  restore: './src/app/commands/restore.server.ts',
  routes: './src/app/commands/routes.server.ts',
  'schema-check': './src/app/commands/schema-check.server.ts',
  settings: './src/app/commands/settings.server.ts',
  stats: './src/app/commands/stats.server.ts',
  'card-maker': './src/platform/social-cards/card-maker.server.ts',
  'file-maker': './src/app/file-maker.server.ts',
  'import-reader': './src/features/imports/reading/import-reader.server.ts',
  'logo-maker': './src/platform/brand-files/logo-maker.server.ts',
  'document-reader': './src/platform/document-reader/reader-main.server.ts',
};

/** React Router names every server entry index.js; ours keep their names. */
const namedServerEntries: Plugin = {
  name: 'named-server-entries',
  enforce: 'post',
  configEnvironment(name, environment) {
    const output = environment.build?.rollupOptions?.output;
    if (name !== 'ssr' || !output || Array.isArray(output)) return;
    output.entryFileNames = '[name].js';
    output.chunkFileNames = 'chunks/[name]-[hash].js';
  },
};

export default defineConfig(({ command }) => ({
  plugins: [
    messages(),
    lexerOnly(),
    iconModules(),
    smallIcons(),
    routerParts(),
    standaloneModules(),
    tailwindcss(),
    reactRouter(),
    namedServerEntries,
    pageChunks(),
  ],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: {
      resolveDependencies: (_, dependencies, { hostId }) => filesToPreload(dependencies, hostId),
    },
  },
  environments: {
    ssr: {
      // Bundled: the unbundled imports alone hold twice the memory and slow the cold start.
      // sharp is native code and subset-font WebAssembly, which stay packages; pdfjs-dist is loaded from its own by the reader
      // of documents.
      resolve: command === 'build' ? { noExternal: true, external: ['sharp', 'subset-font'] } : {},
      // Else both variants of React are in the bundle, and the environment of each process chooses.
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        target: 'node24',
        minify: false,
        rollupOptions: {
          input: serverEntries,
          // The text of the scripts stays in memory: one byte a character of ASCII, else two, comments too. Names and
          // lines stay, for what an error says.
          output: {
            comments: false,
            minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
          },
        },
      },
    },
  },
}));
