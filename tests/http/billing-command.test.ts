import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createPerson } from '../support/people.ts';
import { runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { expectSound } from '../support/soundness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

/** The real command, beside the running server. */
const billing = (...words: string[]) => runEntry('billing', server, words);

async function actionsOf(userId: string) {
  const { rows } = await server.database.query<{ action: string; operator: string; reason: string }>(
    'select action, operator, reason from operator_actions where user_id = $1 order by id',
    [userId],
  );
  return rows;
}

test('credits are given once for a reason, and noted', async () => {
  const person = await createPerson(server, { credits: 3 });
  const give = (reason: string[]) => billing('grant', person.email.toUpperCase(), '25', ...reason);
  expect(await give([])).toMatchObject({ code: 1, output: 'Give a reason: --reason "..."\n' });
  expect(await give(['--reason', 'a lost image'])).toMatchObject({ code: 0 });
  expect((await give(['--reason', 'a lost image'])).output).toContain('given before');
  expect(await person.credits()).toBe(28);
  await give(['--reason', 'another one']);
  expect(await person.credits()).toBe(53);
  for (const wrong of ['0', '-5', '1.5', '1e3', '100001', 'all'])
    expect(await billing('grant', person.id, '--reason', 'x', '--', wrong)).toMatchObject({ code: 1 });
  expect(await person.credits()).toBe(53);
  const acts = await actionsOf(person.id);
  expect(acts.map(({ action, reason }) => [action, reason])).toEqual([
    ['grant', 'a lost image'],
    ['grant', 'another one'],
  ]);
  expect(acts.every(({ operator }) => operator.length > 0)).toBe(true);
});

test('a plan is given until a date, shown, and taken back', async () => {
  const person = await createPerson(server);
  const planOf = async () => ((await (await person.get('/api/me')).json()) as { plan: string }).plan;
  const give = (...words: string[]) =>
    billing('plan', person.id, ...words, '--reason', 'a friend of the house');
  for (const wrong of [
    ['gold', '--until', 'never'],
    ['pro'],
    ['pro', '--until', '2020-01-01'],
    ['pro', '--until', 'soon'],
    ['pro', '--until', '2099-02-31T99:00Z'],
    ['pro', '--untill', 'x'],
  ])
    expect(await give(...wrong), wrong.join(' ')).toMatchObject({ code: 1 });
  expect(await planOf()).toBe('free');
  expect((await give('business', '--until', '2099-12-31')).output).toContain(
    'business until 2100-01-01 00:00 UTC',
  );
  expect(await planOf()).toBe('business');
  expect((await give('business', '--until', '2099-12-31')).output).toContain('has that already');
  const { output } = await billing('show', person.email);
  expect(output).toMatch(/^[\d-]{10} [\d:]{5} {2}plan {6}free -> business by operator/m);
  expect(output).toMatch(/operator {2}plan by \S+ \(a friend of the house\)/);
  expect(output).toContain('+10 grant test test');
  expect((await billing('revoke', person.id, '--reason', 'over')).output).toContain('has ended');
  expect(await planOf()).toBe('free');
  expect((await billing('revoke', person.id, '--reason', 'over')).output).toContain('no plan that was given');
  expect((await actionsOf(person.id)).map(({ action }) => action)).toEqual(['plan', 'revoke']);
});

test('what cannot be done is said in a line', async () => {
  for (const words of [
    ['show', 'nobody@example.com'],
    ['show'],
    ['dance'],
    ['--nonsense'],
    ['constructor'],
  ]) {
    const { code, output } = await billing(...words);
    expect([code, output.includes('    at ')], words.join(' ')).toEqual([1, false]);
  }
  expect(await billing('--help')).toMatchObject({
    code: 0,
    output: expect.stringContaining('npm run billing'),
  });
});

test('every invariant holds', () => expectSound(server));
