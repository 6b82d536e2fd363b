import { defineConfig } from 'vitest/config';
import { messages } from './vite/messages/plugin.ts';

/** Unit tests stand beside their code; tests/http speak HTTP to the built server. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'standins/**/*.test.ts',
      'model/**/*.test.ts',
      'tests/http/**/*.test.ts',
      'tests/*.test.ts',
      'vite/**/*.test.ts',
      'scripts/**/*.test.mjs',
    ],
    globalSetup: ['tests/support/global-setup.ts'],
    // Nets, not assertions: a test waits 30 s for a condition (`eventually`), and a busy machine takes its time.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Tests over HTTP wait more than they work: four keep two cores busy.
    maxWorkers: 4,
    // A process for each file would load the product's modules 290 times, which takes longer than the unit tests themselves.
    isolate: false,
    restoreMocks: true,
  },
});
