import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from '../support/people.ts';
import { AUTH_SECRET, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { sampleOf, soak } from '../support/soak.ts';

const entry = resolve(import.meta.dirname, '../../build/server/main.js');
const validSecret = 'Zr8vQ2mKx5Lw9TnB4yHc7JpD1sGf6VaE';

/** Settings of a complete public site whose database is never reached. */
const site = {
  PORT: '0',
  PUBLIC_URL: 'https://site.example',
  AUTH_SECRET: validSecret,
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Site <hello@site.example>',
  LLM_BASE_URL: 'http://127.0.0.1:1/v1',
  DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none',
};

let folder: string;
let server: TestServer;
let person: Person;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-boot-'));
  // With stand-ins in a separate process, as `npm start` starts them.
  server = await startTestServer({ postgres: inject('postgres'), env: { STANDINS_STARTER: '' } });
  person = await createPerson(server);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the built server and waits until it exits. */
async function boot(
  env: Record<string, string>,
): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: folder, ...env },
    timeout: 15_000,
  });
  const [out, error]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (part: Buffer) => out.push(part));
  child.stderr.on('data', (part: Buffer) => error.push(part));
  await once(child, 'close');
  return { code: child.exitCode, out: Buffer.concat(out).toString(), error: Buffer.concat(error).toString() };
}

describe('a public site does not start', () => {
  test.each(
    sampleOf([
      ['without a secret', { AUTH_SECRET: '' }, /^AUTH_SECRET: must be set outside the sandbox/],
      [
        'with a default secret',
        { AUTH_SECRET: 'please-change-me-please-change-me-1' },
        /^AUTH_SECRET: .* not a default/,
      ],
      ['with a short secret', { AUTH_SECRET: 'k3vX9pQ2' }, /^AUTH_SECRET: must be at least 32/],
      ['over http', { PUBLIC_URL: 'http://site.example' }, /^PUBLIC_URL: must be https outside the sandbox/],
      [
        'open to all without a public address',
        { HOST: '0.0.0.0', PUBLIC_URL: '' },
        /^PUBLIC_URL: required when HOST is not loopback/,
      ],
      [
        'without mail',
        { SMTP_URL: '' },
        /^SMTP_URL: must be set outside the sandbox; people sign in by email/,
      ],
      ['without a sender', { MAIL_FROM: '' }, /^MAIL_FROM: must be set/],
      ['without a model', { LLM_BASE_URL: '' }, /^LLM_BASE_URL: must be set/],
      ['with stand-ins', { SANDBOX: 'true' }, /^SANDBOX: cannot be true/],
      ['with an invalid list of proxies', { TRUSTED_PROXIES: 'nginx' }, /^TRUSTED_PROXIES: must be/],
    ]),
  )('%s', async (_, change, line) => {
    const { code, out, error } = await boot({ ...site, ...change });
    const lines = error.trim().split('\n');
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect([code, out]).toEqual([1, '']);
    // Nothing was created: no data, no secret of the sandbox.
    expect(readdirSync(folder)).toEqual([]);
    for (const value of Object.values(change)) if (value.length > 12) expect(error).not.toContain(value);
  });

  test('on a clock that a sandbox has changed', async () => {
    await server.database.query('update app_clock set offset_ms = 60000');
    const { code, error } = await boot({ ...site, DATABASE_URL: server.databaseUrl });
    await server.database.query('update app_clock set offset_ms = 0');
    expect([code, error.trim()]).toEqual([
      1,
      'The clock of this database was moved in a sandbox. Use a new database for a public site.',
    ]);
  });

  test('on a schema newer than the build, with one line of output; commands refuse too', async () => {
    await server.database.query(
      `insert into schema_migrations (version, name, hash) values (9000, 'later', '')`,
    );
    const { code, error } = await boot({ ...site, DATABASE_URL: server.databaseUrl });
    const audit = await runEntry('audit', server);
    await server.database.query('delete from schema_migrations where version = 9000');
    for (const [exitCode, printed] of [
      [code, error],
      [audit.code, audit.output],
    ])
      expect([exitCode, printed]).toEqual([
        1,
        expect.stringMatching(
          /^The database has schema 9000, but this build supports only \d+\. Start a newer build\.\n$/,
        ),
      ]);
  });

  test.runIf(soak)('on a port that is in use, with one line of output', async () => {
    const { code, error } = await boot({ ...site, PORT: new URL(server.url).port });
    expect([code, error.trim().split('\n').length]).toEqual([1, 1]);
    expect(error).toMatch(/^The port is already in use/);
  });
});

test.runIf(soak)('a misspelt variable is reported at startup, with a suggestion', async () => {
  const { out } = await boot({ ...site, PORT: new URL(server.url).port, SMPT_URL: 'smtp://127.0.0.1:1' });
  expect(out).toContain('Unknown variable SMPT_URL; did you mean SMTP_URL?');
});

describe('next to a live process of its database', () => {
  const settings = () => ({
    PORT: '0',
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.dataDir,
    AUTH_SECRET,
  });

  test.each(
    sampleOf([
      ['AUTH_SECRET', () => ({ ...settings(), AUTH_SECRET: validSecret })],
      ['DATA_DIR', () => ({ ...settings(), DATA_DIR: join(folder, 'other') })],
    ]),
  )('another %s is refused in one line, without any effect', async (name, env) => {
    const { code, out, error } = await boot(env());
    expect([code, out]).toEqual([1, '']);
    expect(error.trim().split('\n')).toEqual([
      expect.stringMatching(
        `^Another process serves this database with a different ${name}\\. .* stop the others first to (change|move) it\\.$`,
      ),
    ]);
    expect((await person.get('/api/me')).status).toBe(200);
  });
});

test.runIf(soak)(
  'a new AUTH_SECRET and a moved DATA_DIR apply once the other processes have ended; everybody is signed out, and nothing breaks',
  async () => {
    expect((await person.get('/api/me')).status).toBe(200);
    // Killed, so that its lease is still valid for some seconds.
    await server.kill();
    const { databaseUrl } = server;
    const after = await startTestServer({
      postgres: inject('postgres'),
      databaseUrl,
      dataDir: mkdtempSync(join(folder, 'moved-')),
      env: { AUTH_SECRET: validSecret },
    });
    const ask = (path: string) =>
      fetch(after.url + path, { headers: { cookie: person.cookie }, redirect: 'manual' });
    expect((await ask('/api/me')).status).toBe(401);
    for (const path of ['/', '/chat', '/sign-in']) expect((await ask(path)).status, path).toBe(200);
    const chats = await ask('/api/chats');
    expect([chats.status, await chats.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'unauthorized' }),
    ]);
    expect(after.output()).not.toContain('"level":50');
    await after.stop();
  },
);
