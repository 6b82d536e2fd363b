import { defineConfig } from 'vitest/config';
import { messages } from './vite/messages/plugin.ts';

/** `npm run test:model`: a model of random weights in the real runtime, which npm brings. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['tests/model/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
