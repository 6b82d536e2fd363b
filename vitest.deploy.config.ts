import { defineConfig } from 'vitest/config';
import { messages } from './vite/messages/plugin.ts';

/** `npm run test:deploy`: what docs/deploy.md promises, with programs that Debian has: root, debootstrap, nginx, Caddy. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['tests/deploy/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 900_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
