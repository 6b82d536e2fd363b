import { defineConfig } from 'vitest/config';
import { UnitFirst } from './tests/support/unit-first.ts';
import { messages } from './vite/messages/plugin.ts';

/** Unit tests stand beside their code; tests/http speak HTTP to the built server. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Nets, not assertions: a test waits a minute for a condition (`eventually`), and a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // Twice as many as cores, because tests also wait: docs/decisions/0069-ten-minutes.md.
    maxWorkers: 4,
    restoreMocks: true,
    sequence: { sequencer: UnitFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.{ts,tsx}',
            'standins/**/*.test.ts',
            'model/**/*.test.ts',
            'tests/*.test.ts',
            'vite/**/*.test.ts',
            'scripts/**/*.test.mjs',
          ],
          // A process for each file would load the product's modules 150 times, which takes longer than the tests.
          isolate: false,
        },
      },
      // Each file has a server or borrows one; nothing of a test file outlives it in its process.
      { test: { name: 'http', include: ['tests/http/**/*.test.ts'], isolate: false } },
    ],
  },
});
