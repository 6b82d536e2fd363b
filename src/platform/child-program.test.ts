import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { expect, test, vi } from 'vitest';
import { limitWork } from './child-program.server.ts';

/** Runs a script under a limit. @returns how it ended, the number of `onLate` calls, and the milliseconds it took. */
async function limited(script: string, ms: number) {
  const onLate = vi.fn();
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  const begun = performance.now();
  const limit = limitWork(child, ms, onLate);
  const [code, signal] = await once(child, 'exit');
  limit.end();
  return { code, signal, late: onLate.mock.calls.length, passed: performance.now() - begun };
}

test('a process that works without end is ended', async () => {
  expect(await limited('for (;;) {}', 500)).toMatchObject({ signal: 'SIGKILL', late: 1 });
});

test.runIf(process.platform === 'linux')('one that waits has three times as long', async () => {
  const { signal, late, passed } = await limited('setInterval(() => {}, 2 ** 30)', 1_000);
  expect([signal, late]).toEqual(['SIGKILL', 1]);
  expect(passed).toBeGreaterThan(3_000);
});

test('one that is done in time is not late', async () => {
  expect(await limited('', 60_000)).toMatchObject({ code: 0, signal: null, late: 0 });
});
