import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { inTurn } from '../support/gate.ts';
import { otherUser, signInRequests } from '../support/journeys.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { makeOffer } from '../support/restore.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { sessionCookie, visitor } from '../support/visitor.ts';

let server: TestServer;
let visit: ReturnType<typeof visitor>;
let travel: ReturnType<typeof signInRequests>;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  [visit, travel] = [visitor(server), signInRequests(server)];
});
afterAll(() => server.stop());

/** Creates a person with an unused sign-in link. */
async function withLink(): Promise<{ person: Person; token: string }> {
  const person = await createPerson(server);
  await visit.ask(person.email);
  return { person, token: (await mailTo(server, person.email)).token };
}

const deleteAccount = (person: Person) => person.send('DELETE', '/api/me', { confirm: person.email });

const markDeleted = (person: Person, days: number) =>
  server.database.query(
    `update users set deleted_at = app_now() - $2::int * interval '1 day' where id = $1`,
    [person.id, days],
  );

const deletedAt = async (person: Person) =>
  (
    await server.database.query<{ deleted_at: Date | null }>('select deleted_at from users where id = $1', [
      person.id,
    ])
  ).rows[0]?.deleted_at;

describe('a link pressed during the deletion of its account', () => {
  test('simultaneously, a dozen times', async () => {
    for (let round = 0; round < 12; round++) {
      const { person, token } = await withLink();
      const [pressed, dropped] = await Promise.all([visit.press(token), deleteAccount(person)]);
      expect([303, 410]).toContain(pressed.status);
      expect(dropped.status).toBe(204);
      expect((await client(server, sessionCookie(pressed)).get('/api/me')).status).toBe(401);
    }
  });

  test('neither waits for the other, whichever is first', async () => {
    const first = await withLink();
    const deleting = [() => deleteAccount(first.person), () => visit.press(first.token)];
    expect((await inTurn(server, first.person.id, deleting)).map(({ status }) => status)).toEqual([204, 410]);
    const second = await withLink();
    const pressing = [() => visit.press(second.token), () => deleteAccount(second.person)];
    expect((await inTurn(server, second.person.id, pressing)).map(({ status }) => status)).toEqual([
      303, 204,
    ]);
  });
});

describe('the erasure', () => {
  const erase = async () => {
    await runErasure(server);
    return null;
  };

  test('does not wait for a link, nor the link for the erasure', async () => {
    const { person, token } = await withLink();
    await markDeleted(person, 31);
    const [, pressed] = await inTurn<Response | null>(server, person.id, [erase, () => visit.press(token)]);
    expect(pressed?.status).toBe(410);
    const { rows } = await server.database.query(
      `select (select count(*)::int from sign_ins where email = $1) as links, erased_at is not null as erased
         from users where id = $2`,
      [person.email, person.id],
    );
    expect(rows).toEqual([{ links: 0, erased: true }]);
  });

  test('during a sign-in by a provider lets a new account start', async () => {
    const person = await createPerson(server);
    await markDeleted(person, 31);
    const started = await travel.begin('google');
    const callbackUrl = await travel.choose(started, otherUser(person.email));
    const followCallback = () => travel.get(callbackUrl, { cookie: started.browserCookie });
    const [, returned] = await inTurn<Response | null>(server, person.id, [erase, followCallback]);
    const me = await client(server, sessionCookie(returned as Response)).get('/api/me');
    const { id, email } = (await me.json()) as { id: string; email: string };
    expect([email, id === person.id]).toEqual([person.email, false]);
  });
});

describe('simultaneous restoring and declining', () => {
  async function withOffers() {
    const person = await createPerson(server);
    expect((await deleteAccount(person)).status).toBe(204);
    const [one, other] = [await makeOffer(server, person.id), await makeOffer(server, person.id)];
    const answer = (intent: string, cookie: string) => () => visit.form('/restore', { intent }, { cookie });
    return { person, restore: answer('restore', one), keep: answer('keep', other) };
  }

  test('does not report a restored account as deleted', async () => {
    const { person, restore, keep } = await withOffers();
    const [restored, declined] = await inTurn(server, person.id, [restore, keep]);
    expect(restored?.headers.get('location')).toBe('/?success=login');
    expect([declined?.status, declined?.headers.get('location')]).toEqual([303, '/']);
    expect(await deletedAt(person)).toBeNull();
    const restorePage = await client(server, sessionCookie(restored as Response)).get('/restore?kept');
    expect([restorePage.status, restorePage.headers.get('location')]).toEqual([302, '/']);
  });

  test('leaves a declined account deleted', async () => {
    const { person, restore, keep } = await withOffers();
    const [declined, restored] = await inTurn(server, person.id, [keep, restore]);
    expect(declined?.headers.get('location')).toBe('/restore?kept');
    expect([restored?.status, sessionCookie(restored as Response)]).toEqual([410, '']);
    expect(await deletedAt(person)).not.toBeNull();
  });

  test('declining without an offer shows no message', async () => {
    const declined = await visit.form('/restore', { intent: 'keep' });
    expect([declined.status, declined.headers.get('location')]).toEqual([303, '/']);
  });
});

test('an offer ends after 30 days, even before the erasure', async () => {
  const person = await createPerson(server);
  await markDeleted(person, 30);
  const cookie = await makeOffer(server, person.id);
  expect((await client(server, cookie).get('/restore')).status).toBe(410);
  const tried = await visit.form('/restore', { intent: 'restore' }, { cookie });
  expect([tried.status, sessionCookie(tried)]).toEqual([410, '']);
  expect(await deletedAt(person)).not.toBeNull();
});

test('every invariant holds', () => expectConsistent(server));
