import { defineConfig } from 'vitest/config';

/** Unit tests stand beside their code; tests/http speak HTTP to the built server. */
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'standins/**/*.test.ts',
      'tests/http/**/*.test.ts',
      'tests/*.test.ts',
      'vite/**/*.test.ts',
      'scripts/**/*.test.mjs',
    ],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    restoreMocks: true,
  },
});
