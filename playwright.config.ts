import { defineConfig } from '@playwright/test';
import { chromiumPath } from './tests/support/chromium.ts';

const { executablePath, env, args } = await chromiumPath();

/** Journeys of people through the real site in a real browser. */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.journey.ts',
  globalSetup: './tests/support/journey-setup.ts',
  workers: 2,
  // One more try, which the output names: docs/decisions/0020-second-try.md.
  retries: process.env.CI ? 1 : 0,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  outputDir: '.cache/journeys',
  use: {
    launchOptions: { executablePath, env: { ...process.env, ...env } as Record<string, string>, args },
    trace: 'off',
  },
});
