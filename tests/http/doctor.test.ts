import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { runEntry, startTestServer, type TestServer } from '../support/server.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), embedded: true });
});
afterAll(() => server.stop());

const lineOf = (output: string, about: string) =>
  output.split('\n').find((line) => line.slice(9).startsWith(`${about} `));

test('with a running server it only checks, without one it starts and stops the database', async () => {
  const whileRunning = await runEntry('doctor', server);
  expect(whileRunning.output).toMatch(/\nNo problems found\.\n$/);
  expect(whileRunning.code).toBe(0);
  expect(lineOf(whileRunning.output, 'Server')).toMatch(/^ok .* Running at http:\/\/localhost:\d+/);
  expect(lineOf(whileRunning.output, 'Schema')).toMatch(/^ok .* All \d+ migrations are applied\.$/);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);

  await server.end();
  const whileStopped = await runEntry('doctor', server);
  expect(whileStopped.code).toBe(0);
  expect(lineOf(whileStopped.output, 'Database')).toMatch(/^ok .* Connected to PostgreSQL \d+/);
  expect(lineOf(whileStopped.output, 'Server')).toMatch(/^note /);
});

test('problems are counted and set the exit code 1', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'site-doctor-'));
  const fresh = { databaseUrl: '', dataDir };
  try {
    const settings = await runEntry('doctor', fresh, [], { PORT: 'http', LOG_LEVEL: 'loud' });
    expect(settings.code).toBe(1);
    expect(settings.output).toMatch(/\n2 problems found\.\n$/);
    const gateway = await runEntry('doctor', fresh, ['--spend'], {
      LLM_BASE_URL: `${server.url}/v1`,
      LLM_API_KEY: 'key-0123',
    });
    expect(gateway.code).toBe(1);
    expect(lineOf(gateway.output, 'Models')).toMatch(/^wrong .* Can't connect to LLM_BASE_URL/);
    expect(gateway.output).not.toContain('key-0123');
    expect(await runEntry('doctor', fresh, ['--male', 'x'])).toMatchObject({ code: 1 });
    expect((await runEntry('doctor', fresh, ['--help'])).output).toMatch(/^npm run doctor/);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
