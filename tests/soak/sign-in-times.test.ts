import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { quantile } from '../load/process.ts';
import { createPeople } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { newAddress, visitor } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.stop());

const EACH = 100;

test('neither the answer nor its time reveals whether an address has an account', async () => {
  const visit = visitor(server);
  const known = await createPeople(server, EACH);
  const answers = new Set<string>();
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const ask = async (email: string, kind: 'known' | 'unknown') => {
    const from = performance.now();
    const answer = await visit.ask(email);
    times[kind].push(performance.now() - from);
    answers.add(`${answer.status} ${await answer.text()}`);
  };
  // The first requests run code that is not warmed up.
  for (let warm = 0; warm < 20; warm++) await visit.ask(newAddress());
  // Alternates, so that other load on the machine affects both.
  for (const { email } of known) {
    await ask(email, 'known');
    await ask(newAddress(), 'unknown');
  }
  expect([...answers]).toEqual([`200 {"message":"Magic link sent! Check your email."}`]);
  const [one, other] = [quantile(times.known, 0.5), quantile(times.unknown, 0.5)];
  expect(Math.abs(one - other) / Math.min(one, other)).toBeLessThan(0.2);
});
