import { defineConfig } from 'vitest/config';
import { messages } from './vite/messages/plugin.ts';

/** `npm run test:scale`: several processes on one PostgreSQL and one bucket, with programs that Debian has: haproxy, Ceph. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['tests/scale/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
