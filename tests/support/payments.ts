import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

/** Moves the clock of the stand-ins and waits until the site follows it. */
export async function passTime(server: TestServer, ms: number): Promise<void> {
  const before = await now(server);
  const moved = await fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clock: { advanceMs: ms } }),
  });
  if (!moved.ok) throw new Error(`The clock was not moved: ${await moved.text()}`);
  await eventually(async () => (await now(server)) - before >= ms);
}

async function now(server: TestServer): Promise<number> {
  const { rows } = await server.database.query<{ now: Date }>('select app_now() as now');
  return rows[0]?.now.getTime() ?? 0;
}

/** A person's session that began a while ago lasts on, so that a year can pass. */
export async function staySignedIn(server: TestServer, email: string): Promise<void> {
  await server.database.query(
    `update sessions set expires_at = app_now() + interval '20 years', last_seen_at = app_now()
      where user_id = (select id from users where email = $1)`,
    [email],
  );
}

/** What `GET /api/subscription` answers a person. */
export async function billingOf(person: Pick<Person, 'get'>) {
  return (await person.get('/api/subscription')).json();
}
