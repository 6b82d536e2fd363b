import { defineConfig } from '@playwright/test';
import { chromiumPath } from './tests/support/chromium.ts';
import { soak } from './tests/support/soak.ts';

const { executablePath, env, args } = await chromiumPath();

/** Journeys of people through the real site in a real browser. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  testIgnore: soak ? [] : '**/*.soak.e2e.ts',
  // What a test of a road proves already, in a detail: docs/decisions/0069-ten-minutes.md.
  ...(soak ? {} : { grepInvert: /@soak/ }),
  globalSetup: './tests/support/e2e-setup.ts',
  workers: 3,
  // No second try: docs/decisions/0027-no-second-try.md.
  retries: 0,
  fullyParallel: false,
  // Nets, not assertions: a busy machine takes its time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  outputDir: '.cache/e2e',
  use: {
    launchOptions: { executablePath, env: { ...process.env, ...env } as Record<string, string>, args },
    trace: 'off',
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
  },
});
