import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { messages } from './vite/messages/plugin.ts';

/** Files of which `npm test` takes a sample, or in which bounds of time hold: tests/support/soak.ts. */
const sampled = globSync(['tests/http/**/*.test.ts', 'src/**/*.test.ts'], {
  cwd: import.meta.dirname,
}).filter((path) => readFileSync(path, 'utf8').includes('support/soak.ts'));

/** `npm run test:soak`: what is hostile, long or timed, and the whole samples of which npm test takes a few. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['tests/soak/**/*.test.ts', ...sampled],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // One file at a time: memory and time are measured.
    maxWorkers: 1,
    restoreMocks: true,
  },
});
