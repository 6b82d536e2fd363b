import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Me } from '#features/accounts/contract.ts';
import { send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { otherUser, signInRequests } from '../support/journeys.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { moveClock, newAddress, sessionCookie, visitor } from '../support/visitor.ts';

const DAY = 24 * 3600_000;

let server: TestServer;
let visit: ReturnType<typeof visitor>;
let oauth: ReturnType<typeof signInRequests>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
  visit = visitor(server);
  oauth = signInRequests(server);
});
afterAll(() => server.stop());

const meOf = async (cookie: string) =>
  (await (await client(server, cookie).get('/api/me')).json()) as Partial<Me>;

const cookieOf = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

/** Where each way to sign in leads after the account was deleted, with the offer to restore it. */
const signInWays: Record<
  string,
  (email: string, mails: number) => Promise<{ to: string | null; offer: string }>
> = {
  async link(email, mails) {
    await visit.ask(email);
    const { token } = await mailTo(server, email, mails + 1);
    const pressed = await visit.press(token);
    expect(sessionCookie(pressed)).toBe('');
    return { to: pressed.headers.get('location'), offer: cookieOf(pressed, 'restore') };
  },
  async code(email, mails) {
    await visit.ask(email);
    const { code } = await mailTo(server, email, mails + 1);
    const answer = await visit.post('/api/sign-in/code', { email, code });
    expect(sessionCookie(answer)).toBe('');
    return {
      to: ((await answer.json()) as { restore: string }).restore,
      offer: cookieOf(answer, 'restore'),
    };
  },
  async google(email) {
    const response = await oauth.signIn('google', otherUser(email));
    expect(sessionCookie(response)).toBe('');
    return { to: response.headers.get('location'), offer: cookieOf(response, 'restore') };
  },
  async github(email) {
    const response = await oauth.signIn('github', otherUser(email));
    expect(sessionCookie(response)).toBe('');
    return { to: response.headers.get('location'), offer: cookieOf(response, 'restore') };
  },
};

/** Creates a person who signed up, spent a credit and deleted the account. */
async function deletedPerson(): Promise<{ email: string; id: string }> {
  const email = newAddress();
  const { cookie } = await visit.signIn(email);
  const person = client(server, cookie) as Person;
  const { id = '', credits, welcomed } = await meOf(cookie);
  expect([credits, welcomed]).toEqual([10, true]);
  const sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
  await waitUntilIdle(server);
  expect((await person.send('DELETE', '/api/me', { confirm: email })).status).toBe(204);
  await mailTo(server, email, 2);
  return { email, id };
}

test.each(Object.keys(signInWays))(
  'M-A16: signing in by %s offers to restore a deleted account with what it had',
  async (wayName) => {
    const { email, id } = await deletedPerson();
    const { to, offer } = (await signInWays[wayName]?.(email, 2)) ?? { to: null, offer: '' };
    expect([to, offer]).toEqual(['/restore', expect.stringMatching(/^restore=.{40,}/)]);
    const restored = await visit.form('/restore', { intent: 'restore' }, { cookie: offer });
    expect(restored.headers.get('location')).toBe('/?success=login');
    expect(await meOf(sessionCookie(restored))).toMatchObject({ id, credits: 9, welcomed: true });
  },
);

test('M-A16, M-A17: after the erasure the same person starts without welcome credits, with every way to sign in', async () => {
  const gmail = `return${Date.now()}`;
  const first = `${gmail}@gmail.com`;
  const { cookie } = await visit.signIn(first);
  expect(await meOf(cookie)).toMatchObject({ credits: 10, welcomed: true });
  expect((await client(server, cookie).send('DELETE', '/api/me', { confirm: first })).status).toBe(204);
  await moveClock(server, 31 * DAY);
  await runErasure(server);
  const noWelcome = { credits: 0, welcomed: false };
  const again = await visit.signIn(first, { count: 3 });
  expect(await meOf(again.cookie)).toMatchObject({ ...noWelcome, email: first });
  // Sign-ins with providers need the site's clock to match the stand-ins', which was not moved.
  await moveClock(server, 0);
  const tagged = await visit.signIn(`${gmail}+2@googlemail.com`);
  expect(await meOf(tagged.cookie)).toMatchObject(noWelcome);
  const dotted = `r.${gmail.slice(1)}@gmail.com`;
  const google = await oauth.signIn('google', otherUser(dotted));
  expect(await meOf(sessionCookie(google))).toMatchObject({ ...noWelcome, email: dotted });
  const github = await oauth.signIn('github', otherUser(`${gmail}+3@gmail.com`));
  expect(await meOf(sessionCookie(github))).toMatchObject(noWelcome);
});

test('every invariant holds', () => expectConsistent(server));
