import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { createKey, listKeys, openaiClient, refusalOf } from '../support/api-keys.ts';
import { noDelay, uniqueWord } from '../support/chat.ts';
import { auditCommand, expectConsistent } from '../support/consistency.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

const env = {
  RUNNING_AT_ONCE: '200',
  RELEASED_PER_HOUR: '1000',
  RELEASED_PER_DAY: '1000',
  LLM_MODEL: 'maker/model',
};
const model = env.LLM_MODEL;

let standIns: RunningStandIns;
let first: TestServer;
let second: TestServer;
const start = (databaseUrl?: string) =>
  startTestServer({ postgres: inject('postgres'), databaseUrl, standins: standIns.base, env });
beforeAll(async () => {
  standIns = await spawnStandIns();
  first = await start();
});
afterAll(async () => {
  await second?.stop();
  await first.stop();
  await standIns.remove();
});

const ask = (server: TestServer, secret: string, text: string) =>
  openaiClient(server, secret).chat.completions.create({
    model,
    messages: [{ role: 'user', content: text }],
  });

const chargedTo = async ({ id }: Person) => {
  const { rows } = await first.database.query<{ runs: number; credits: number }>(
    'select count(*)::int as runs, coalesce(sum(credits_charged), 0)::int as credits from generations where user_id = $1',
    [id],
  );
  return rows[0];
};

test.each(['free', 'pro'] as const)('a ceiling holds for 100 calls at once, on %s', async (plan) => {
  const person = await createPerson(first, { plan, credits: 500 });
  const { secret } = await createKey(person, { ceiling: 7 });
  const settled = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) => ask(first, secret, `Call ${n} ${noDelay}`)),
  );
  expect(settled.filter(({ status }) => status === 'fulfilled').length).toBe(7);
  const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(['429 insufficient_quota']),
  );
  expect(await chargedTo(person)).toEqual({ runs: 7, credits: plan === 'free' ? 7 : 0 });
  expect(await listKeys(person)).toMatchObject([{ month: { runs: 7, credits: 7 } }]);
  // Each key has a separate ceiling, and refunded runs do not count towards it.
  const other = await createKey(person, { ceiling: 1 });
  await refusalOf(ask(first, other.secret, `Fails [[mode:500]] ${noDelay}`));
  expect((await ask(first, other.secret, `Works ${noDelay}`)).choices.length).toBe(1);
  expect(await refusalOf(ask(first, other.secret, `No more ${noDelay}`))).toMatchObject({ status: 429 });
});

test('a ceiling resets each month', async () => {
  const person = await createPerson(first);
  const { key, secret } = await createKey(person, { ceiling: 1 });
  await ask(first, secret, `Now ${noDelay}`);
  await refusalOf(ask(first, secret, `Again ${noDelay}`));
  await first.database.query(
    `update api_key_runs set created_at = date_trunc('month', app_now(), 'UTC') - interval '1 second' where api_key_id = $1`,
    [key.id],
  );
  expect((await ask(first, secret, `A new month ${noDelay}`)).choices.length).toBe(1);
});

test.runIf(soak)(
  'a process that is killed mid-answer charges nothing and leaves consistent rows',
  async () => {
    const person = await createPerson(first);
    const { secret } = await createKey(person, { ceiling: 5 });
    const stream = await openaiClient(first, secret).chat.completions.create({
      model,
      messages: [
        { role: 'user', content: `Long ${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:50]]` },
      ],
      stream: true,
    });
    let received = '';
    const reading = (async () => {
      for await (const { choices } of stream) received += choices[0]?.delta.content ?? '';
    })().catch((error: unknown) => error);
    await eventually(async () => received.length > 200);
    expect(await person.credits()).toBe(9);
    await first.kill();
    expect(await reading).toBeInstanceOf(Error);

    second = await start(first.databaseUrl);
    const remote = personAt(second, person);
    await eventually(async () => (await person.credits()) === 10);
    expect(await listKeys(remote)).toMatchObject([{ month: { runs: 1, credits: 0 } }]);
    expect(await auditCommand(second)).toEqual({ code: 0, violated: [] });
    expect((await ask(second, secret, `Hello ${noDelay}`)).choices.length).toBe(1);
    await expectConsistent(second);
  },
);
