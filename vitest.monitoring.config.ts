import { defineConfig } from 'vitest/config';
import { messages } from './vite/messages/plugin.ts';

/** `npm run test:monitoring`: what ships for Prometheus, in Debian's `prometheus`. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['tests/monitoring/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
});
