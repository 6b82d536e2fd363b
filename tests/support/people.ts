import { randomUUID } from 'node:crypto';
import { startSession } from '#features/accounts/sessions/sessions.server.ts';
import { type Config, setConfig } from '#platform/config/config.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import { AUTH_SECRET, type TestServer } from './server.ts';

setConfig({ authSecret: AUTH_SECRET, secure: false } as Config);

/** A person with a session; `get` and `send` make requests as the site's pages do. */
export interface Person {
  id: string;
  email: string;
  cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  credits(): Promise<number>;
}

function asDatabase(server: TestServer): Database {
  const run = (statement: Statement) => server.database.query(statement.text, statement.values);
  return {
    rows: async <Row>(statement: Statement) => (await run(statement)).rows as Row[],
    row: async <Row>(statement: Statement) => ((await run(statement)).rows[0] as Row) ?? null,
    run: async (statement: Statement) => (await run(statement)).rowCount ?? 0,
  };
}

/** Returns request functions that send a cookie; without one they act as a guest. */
export function client(server: Pick<TestServer, 'url'>, cookie = ''): Pick<Person, 'get' | 'send'> {
  const base = { cookie, origin: server.url };
  return {
    get: (path, headers) =>
      fetch(server.url + path, { headers: { ...base, ...headers }, redirect: 'manual' }),
    send: (method, path, body, headers) =>
      fetch(server.url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...base,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
  };
}

/** Creates a person with a balance (recorded in the ledger), a plan and a session. */
export async function createPerson(
  server: TestServer,
  { credits = 10, plan = 'free' as 'free' | 'pro' } = {},
): Promise<Person> {
  const id = randomUUID();
  const email = `p-${id}@example.com`;
  await server.database.query(
    `insert into users (id, email, name, plan, credits) values ($1, $2, 'Test Person', $3, $4)`,
    [id, email, plan, credits],
  );
  await server.database.query(
    `insert into credit_ledger (user_id, delta, kind, source, external_id, reason) values ($1, $2, 'grant', 'test', $1::uuid::text, 'test')`,
    [id, credits],
  );
  if (plan === 'pro')
    await server.database.query(
      `insert into plan_grants (id, user_id, plan, cause) values ($1, $2, 'pro', 'test')`,
      [randomUUID(), id],
    );
  const { cookie } = await startSession(asDatabase(server), {
    userId: id,
    userAgent: 'tests',
    cookieHeader: null,
  });
  const sessionCookie = cookie.split(';')[0] ?? '';
  return {
    id,
    email,
    cookie: sessionCookie,
    ...client(server, sessionCookie),
    credits: async () =>
      (await server.database.query<{ credits: number }>('select credits from users where id = $1', [id]))
        .rows[0]?.credits ?? Number.NaN,
  };
}

/** Returns the same person, whose requests go to another process of the site. */
export const personAt = (server: TestServer, person: Person): Person => ({
  ...person,
  ...client(server, person.cookie),
});

/** Creates many people, 50 at a time. */
export async function createPeople(
  server: TestServer,
  count: number,
  options: { credits?: number; plan?: 'free' | 'pro' } = {},
): Promise<Person[]> {
  const people: Person[] = [];
  while (people.length < count) {
    const batch = Math.min(50, count - people.length);
    people.push(...(await Promise.all(Array.from({ length: batch }, () => createPerson(server, options)))));
  }
  return people;
}
