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

test('beside a running server it looks and leaves it alone, at rest it starts and ends the database', async () => {
  const beside = await runEntry('doctor', server);
  expect(beside.output).toMatch(/\nNo problems found\.\n$/);
  expect(beside.code).toBe(0);
  expect(lineOf(beside.output, 'Server')).toMatch(/^ok .* Running at http:\/\/localhost:\d+/);
  expect(lineOf(beside.output, 'Schema')).toMatch(/^ok .* All \d+ migrations are applied\.$/);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);

  await server.end();
  const alone = await runEntry('doctor', server);
  expect(alone.code).toBe(0);
  expect(lineOf(alone.output, 'Database')).toMatch(/^ok .* Connected to PostgreSQL \d+/);
  expect(lineOf(alone.output, 'Server')).toMatch(/^note /);
});

test('what is wrong is counted and ends it with 1', async () => {
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
