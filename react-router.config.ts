import process from 'node:process';
import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src/app',
  // Set by scripts/lib/prepare.mjs, which builds beside the build that runs.
  buildDirectory: process.env.BUILD_FOLDER ?? 'build/draft-by-hand',
  ssr: true,
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
