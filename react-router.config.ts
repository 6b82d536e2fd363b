import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Config } from '@react-router/dev/config';
import { trimManifest } from './vite/browser-manifest.ts';
import { MESSAGES_FOLDER, readCatalogues } from './vite/messages/catalogues.ts';
import { localizeAssets } from './vite/messages/localize.ts';
import { APP_PAGE } from './vite/page-chunks.ts';
import { precompress } from './vite/precompress.ts';

export default {
  appDirectory: 'src/app',
  // Set by scripts/lib/prepare.mjs, which builds beside the build that runs.
  buildDirectory: process.env.BUILD_FOLDER ?? 'build/draft-by-hand',
  ssr: true,
  // The other mode is not in the browser: vite/router-parts.ts.
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig: { appDirectory, buildDirectory, routes } }) {
    const client = join(buildDirectory, 'client');
    const isAppPage = (file = '') => APP_PAGE.test(readFileSync(join(appDirectory, file), 'utf8'));
    trimManifest(join(client, 'assets'), (id) => id === 'root' || isAppPage(routes[id]?.file));
    const localized = localizeAssets(join(client, 'assets'), readCatalogues(MESSAGES_FOLDER));
    writeFileSync(join(buildDirectory, 'server', 'localized-assets.json'), JSON.stringify(localized));
    await precompress(client);
  },
} satisfies Config;
