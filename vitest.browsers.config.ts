import { defineConfig } from 'vitest/config';
import { messages } from './vite/messages/plugin.ts';

/** `npm run test:browsers`: the main roads in Firefox and WebKitGTK, where they are installed. */
export default defineConfig({
  plugins: [messages()],
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: ['tests/browsers/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
