import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { errorOf, otherUser, type ProviderName, signInRequests } from '../support/journeys.ts';
import { mailsTo, mailTo } from '../support/mailbox.ts';
import { client } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { newAddress, sessionCookie, visitor } from '../support/visitor.ts';

const providers: ProviderName[] = ['google', 'github'];
const labels = { google: 'Google', github: 'GitHub' };
const newSubject = () => String(randomInt(1e12));

let server: TestServer;
let visit: ReturnType<typeof visitor>;
let travel: ReturnType<typeof signInRequests>;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  [visit, travel] = [visitor(server), signInRequests(server)];
});
afterAll(() => server.stop());

const subjectsOf = async (email: string) =>
  (
    await server.database.query<{ subject: string }>(
      'select subject from identities i join users u on u.id = i.user_id where u.email = $1 order by 1',
      [email],
    )
  ).rows.map(({ subject }) => subject);

/** Signs in with an account of the provider; returns the last response. */
const signInWith = (provider: ProviderName, email: string, subject: string) =>
  travel.signIn(provider, otherUser(email, { subject }));

describe.each(providers)('an account at %s', (provider) => {
  const remove = (cookie: string, name: string = provider) =>
    client(server, cookie).send('DELETE', `/api/me/identities/${name}`);

  test('can only be removed by its person, and does not sign in any more', async () => {
    const [email, subject] = [newAddress(), newSubject()];
    const session = sessionCookie(await signInWith(provider, email, subject));
    const otherPerson = await visit.signIn(newAddress());
    expect((await remove('')).status).toBe(401);
    expect((await remove(otherPerson.cookie)).status).toBe(404);
    const other = provider === 'google' ? 'github' : 'google';
    for (const name of [other, 'apple', '__proto__', provider.toUpperCase()])
      expect((await remove(session, name)).status, name).toBe(404);
    expect(await subjectsOf(email)).toEqual([subject]);
    expect((await remove(session)).status).toBe(204);
    expect((await remove(session)).status).toBe(404);
    expect(await subjectsOf(email)).toEqual([]);
    // The provider's account now has another address, so it signs in to a new account.
    const newEmail = newAddress();
    const again = await client(server, sessionCookie(await signInWith(provider, newEmail, subject))).get(
      '/api/me',
    );
    expect(await again.json()).toMatchObject({ email: newEmail, credits: 0 });
  });

  test('that is linked to an account is reported by mail', async () => {
    const email = newAddress();
    await visit.signIn(email);
    await signInWith(provider, email, newSubject());
    const mail = await mailTo(server, email, 2);
    expect(mail.subject).toMatch(new RegExp(`^${labels[provider]} was linked to your .+ account$`));
    for (const part of [mail.text, mail.html]) expect(part).toContain(`${server.url}/settings`);
  });

  test('is reported once, and not when it creates an account', async () => {
    const [email, subject] = [newAddress(), newSubject()];
    await signInWith(provider, email, subject);
    await signInWith(provider, email, subject);
    const other = provider === 'google' ? 'github' : 'google';
    await signInWith(other, email, subject);
    await signInWith(other, email, subject);
    const mail = await mailTo(server, email);
    expect(mail.subject).toContain(labels[other]);
    const { rows } = await server.database.query(
      `select 1 from jobs.job where name = 'send-linked-mail'
        and data->>'userId' = (select id::text from users where email = $1)`,
      [email],
    );
    expect([rows.length, (await mailsTo(server, email)).length]).toEqual([1, 1]);
  });

  test('cannot be replaced by a second one until it is removed, even for a deleted account', async () => {
    const [email, first, second] = [newAddress(), newSubject(), newSubject()];
    const session = sessionCookie(await signInWith(provider, email, first));
    const refused = async () => {
      const shownError = errorOf(await signInWith(provider, email, second));
      expect(shownError).toMatchObject({ error: 'account_not_linked', from: 'auth_callback' });
      expect(shownError.description).toContain('Sign in by email, then remove the old one in your settings.');
      expect(await subjectsOf(email)).toEqual([first]);
    };
    await refused();
    expect((await client(server, session).send('DELETE', '/api/me', { confirm: email })).status).toBe(204);
    await refused();
    await mailTo(server, email);
    await server.database.query('update users set deleted_at = null where email = $1', [email]);
    const { cookie } = await visit.signIn(email, { count: 2 });
    expect((await remove(cookie)).status).toBe(204);
    expect(sessionCookie(await signInWith(provider, email, second))).not.toBe('');
    expect(await subjectsOf(email)).toEqual([second]);
  });

  test('only one of several simultaneous ones is linked', async () => {
    const email = newAddress();
    await visit.signIn(email);
    const subjects = Array.from({ length: 4 }, newSubject);
    const attempts = await Promise.all(
      subjects.map(async (subject) => {
        const started = await travel.begin(provider);
        return {
          callback: await travel.choose(started, otherUser(email, { subject })),
          cookie: started.browserCookie,
        };
      }),
    );
    const answers = await Promise.all(
      attempts.map(({ callback, cookie }) => travel.get(callback, { cookie })),
    );
    const refused = answers.filter((answer) => sessionCookie(answer) === '');
    expect(refused.map((answer) => errorOf(answer).error)).toEqual(Array(3).fill('account_not_linked'));
    expect(await subjectsOf(email)).toHaveLength(1);
  });

  test('restores a deleted account only with the address of that account', async () => {
    const [email, subject] = [newAddress(), newSubject()];
    const session = sessionCookie(await signInWith(provider, email, subject));
    expect((await client(server, session).send('DELETE', '/api/me', { confirm: email })).status).toBe(204);
    const shownError = errorOf(await signInWith(provider, newAddress(), subject));
    expect(shownError).toMatchObject({ error: 'account_deleted', from: 'auth_callback' });
    expect(shownError.description).toContain('sign in by email');
    const { rows } = await server.database.query(
      'select 1 from restore_offers o join users u on u.id = o.user_id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([]);
    const restored = await signInWith(provider, email.toUpperCase(), subject);
    expect([restored.status, restored.headers.get('location')]).toEqual([303, '/restore']);
  });
});

test('every invariant holds', () => expectConsistent(server));
