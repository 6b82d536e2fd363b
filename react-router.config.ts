import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Config } from '@react-router/dev/config';
import { MESSAGES_FOLDER, readCatalogues } from './vite/messages/catalogues.ts';
import { localizeAssets } from './vite/messages/localize.ts';
import { precompress } from './vite/precompress.ts';

export default {
  appDirectory: 'src/app',
  // Set by scripts/lib/prepare.mjs, which builds beside the build that runs.
  buildDirectory: process.env.BUILD_FOLDER ?? 'build/draft-by-hand',
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig: { buildDirectory } }) {
    const client = join(buildDirectory, 'client');
    const localized = localizeAssets(join(client, 'assets'), readCatalogues(MESSAGES_FOLDER));
    writeFileSync(join(buildDirectory, 'server', 'localized-assets.json'), JSON.stringify(localized));
    await precompress(client);
  },
} satisfies Config;
