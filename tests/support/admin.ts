import { randomUUID } from 'node:crypto';
import { createPerson, type Person } from './people.ts';
import { SETTINGS_OPERATOR, type TestServer } from './server.ts';

export const OPERATOR = 'operator@example.com';

/** Environment of a server on which /admin can be used. */
export const operatorEnv = { ADMIN_EMAILS: `Other@example.com, ${OPERATOR}, ${SETTINGS_OPERATOR}` };

export interface Operator extends Person {
  /** Returns the text of a page. */
  page(path: string): Promise<string>;
  /** Submits a form of /admin as a browser does; adds a new press id unless `fields` has one. */
  submit(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  /** Makes the session look as if it had started this long ago. */
  ageSession(minutes: number): Promise<unknown>;
}

export async function withEmail(server: TestServer, person: Person, email: string): Promise<Person> {
  await server.database.query(
    `update users set email = 'before-' || id || '@example.com' where email = $1 and id <> $2`,
    [email, person.id],
  );
  await server.database.query('update users set email = $1 where id = $2', [email, person.id]);
  return { ...person, email };
}

export async function createOperator(server: TestServer): Promise<Operator> {
  const person = await withEmail(server, await createPerson(server), OPERATOR);
  return {
    ...person,
    page: async (path) => (await person.get(path, { accept: 'text/html' })).text(),
    submit: (path, fields = {}, headers = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: person.cookie, origin: server.url, ...headers },
        body: new URLSearchParams({ press: randomUUID(), ...fields }),
      }),
    ageSession: (minutes) =>
      server.database.query(
        `update sessions set created_at = app_now() - $1 * interval '1 minute' where user_id = $2`,
        [minutes, person.id],
      ),
  };
}

interface ActionRow {
  action: string;
  operator: string;
  reason: string;
  details: object;
}

/** Newest last. */
export async function operatorActions(server: TestServer, userId: string): Promise<ActionRow[]> {
  const { rows } = await server.database.query<ActionRow>(
    'select action, operator, reason, details from operator_actions where user_id = $1 order by id',
    [userId],
  );
  return rows;
}
