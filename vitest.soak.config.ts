import { defineConfig } from 'vitest/config';

/** `npm run test:soak`: what is hostile, long or timed, and the whole samples of which npm test takes a few. */
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    include: [
      'tests/soak/**/*.test.ts',
      // Samples and bounds of time: tests/support/soak.ts.
      'tests/http/account.test.ts',
      'tests/http/attachments.test.ts',
      'tests/http/backup.test.ts',
      'tests/http/crash.test.ts',
      'tests/http/embedded.test.ts',
      'tests/http/export.test.ts',
      'tests/http/failures.test.ts',
      'tests/http/gateway-faults.test.ts',
      'tests/http/image-faults.test.ts',
      'tests/http/money.test.ts',
      'tests/http/pdf-isolation.test.ts',
      'tests/http/random-requests.test.ts',
      'tests/http/sessions.test.ts',
      'tests/http/streaming.test.ts',
      'tests/http/two-processes.test.ts',
      'src/platform/job-queue.test.ts',
    ],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // One file at a time: memory and time are measured.
    maxWorkers: 1,
    restoreMocks: true,
  },
});
