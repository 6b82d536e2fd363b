import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { expect, test, vi } from 'vitest';
import { limitWork } from './child-program.server.ts';

/** Runs a script under a limit. @returns how it ended, the number of `onTimeout` calls, and the time it took in ms. */
async function limited(script: string, ms: number) {
  const onTimeout = vi.fn();
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  const startedAt = performance.now();
  const limit = limitWork(child, ms, onTimeout);
  const [code, signal] = await once(child, 'exit');
  limit.end();
  return { code, signal, timeouts: onTimeout.mock.calls.length, elapsed: performance.now() - startedAt };
}

test('kills a process that computes endlessly', async () => {
  expect(await limited('for (;;) {}', 500)).toMatchObject({ signal: 'SIGKILL', timeouts: 1 });
});

test.runIf(process.platform === 'linux')('gives a waiting process three times as long', async () => {
  const { signal, timeouts, elapsed } = await limited('setInterval(() => {}, 2 ** 30)', 1_000);
  expect([signal, timeouts]).toEqual(['SIGKILL', 1]);
  expect(elapsed).toBeGreaterThan(3_000);
});

test('leaves a process alone that ends in time', async () => {
  expect(await limited('', 60_000)).toMatchObject({ code: 0, signal: null, timeouts: 0 });
});
