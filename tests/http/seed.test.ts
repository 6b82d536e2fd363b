import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createPerson } from '../support/people.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

/** Runs `npm run seed` while the server is running. */
function seed(args: string[] = [], other: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: server.dataDir,
    DATABASE_URL: server.databaseUrl,
    ...other,
  };
  return new Promise((done) => {
    execFile(process.execPath, [resolve('demo/seed.ts'), ...args], { env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

async function count(sql: string): Promise<number> {
  return (
    (await server.database.query<{ n: number }>(`select count(*)::int as n from ${sql}`)).rows[0]?.n ?? -1
  );
}

const tables = [
  'users',
  'chat_sessions',
  'chat_messages',
  'generations',
  'works',
  'work_versions',
  'documents',
  'prompts',
];
const counts = () => Promise.all(tables.map(async (table) => [table, await count(table)] as const));

test.runIf(soak)(
  'a sandbox is filled once, consistently, over several days, and never next to real accounts',
  async () => {
    const first = await seed();
    expect(first.output).toContain('ines@seed.example');
    expect(first.code).toBe(0);
    const people = await server.database.query<{ email: string; plan: string; credits: number }>(
      'select email, plan, credits from users order by email',
    );
    expect(people.rows).toEqual([
      { email: 'ines@seed.example', plan: 'pro', credits: 10 },
      { email: 'nora@seed.example', plan: 'free', credits: 5 },
      { email: 'tomas@seed.example', plan: 'free', credits: 0 },
    ]);
    expect(await count("generations where state <> 'done'")).toBe(0);
    expect(await count("chat_messages where content like '%stand-in%' or content like '%[[%'")).toBe(0);
    expect(
      await count("(select distinct date_trunc('day', created_at) from generations) days"),
    ).toBeGreaterThan(4);
    expect(await count('generations where created_at > app_now()')).toBe(0);
    expect((await runEntry('audit', server)).output).toContain('"ok": true');

    const before = await counts();
    expect((await seed()).code).toBe(0);
    expect(await counts()).toEqual(before);

    await createPerson(server);
    const refused = await seed();
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('an account that was not seeded'),
    ]);
    const switches = (await (await fetch(`${server.standins}/control`)).json()) as {
      gateway: { says: string | null };
      clock: { offsetMs: number };
    };
    expect(switches.gateway.says).toBeNull();
    expect(Math.abs(switches.clock.offsetMs)).toBeLessThan(5_000);
  },
  90_000,
);

test.runIf(soak)(
  'an empty folder is filled by a site and a database that the command starts and stops',
  async () => {
    const { code, output } = await seed([], { DATA_DIR: `${server.dataDir}-fresh`, DATABASE_URL: '' });
    expect([code, output]).toEqual([0, expect.stringContaining('ines@seed.example')]);
  },
  90_000,
);

test.runIf(soak)('nothing is started on a database in use, and wrong arguments are named', async () => {
  const before = await count('users');
  const connections = "pg_stat_activity where datname = current_database() and application_name like 'site%'";
  const connected = await count(connections);
  const refused = await seed([], { DATA_DIR: `${server.dataDir}-none` });
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringContaining('DATABASE_URL is set, but no sandbox is running on it'),
  ]);
  // The server's own pools may have closed connections meanwhile.
  await eventually(async () => (await count(connections)) <= connected);
  expect(await count('users')).toBe(before);
  expect((await seed(['--help'])).output).toContain('npm run seed');
  const wrong = await seed(['--sure']);
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringMatching(/--sure[\s\S]*npm run seed/)]);
});
