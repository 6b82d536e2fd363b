import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { maxEventAttempts } from '#features/billing/store.server.ts';
import { expectConsistent } from '../support/consistency.ts';
import { deliver, eventBody } from '../support/creem-events.ts';
import { runJob } from '../support/files.ts';
import { mailsTo } from '../support/mailbox.ts';
import { payments, planOf } from '../support/payments.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { sampleOf, soak } from '../support/soak.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let server: TestServer;
let shop: ReturnType<typeof payments>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  shop = payments(server);
  // Until the jobs have started, a mail waits up to a minute.
  await eventually(() => runJob(server, 'send-billing-mails').then(() => true));
});
afterAll(() => server.stop());

/** Runs the real command while the server is running. */
const billing = (...args: string[]) => runEntry('billing', server, args);

async function actionsOf(userId: string) {
  const { rows } = await server.database.query<{ action: string; operator: string; reason: string }>(
    'select action, operator, reason from operator_actions where user_id = $1 order by id',
    [userId],
  );
  return rows;
}

test('credits are granted once per reason, and recorded', async () => {
  const person = await createPerson(server, { credits: 3 });
  const grant = (reason: string[]) => billing('grant', person.email.toUpperCase(), '25', ...reason);
  expect(await grant([])).toMatchObject({ code: 1, output: 'Add a reason: --reason "..."\n' });
  expect(await grant(['--reason', 'a lost image'])).toMatchObject({ code: 0 });
  expect((await grant(['--reason', 'a lost image'])).output).toContain('already granted');
  expect(await person.credits()).toBe(28);
  await grant(['--reason', 'another one']);
  expect(await person.credits()).toBe(53);
  for (const amount of sampleOf(['-5', '1e3', '100001']))
    expect(await billing('grant', person.id, '--reason', 'x', '--', amount)).toMatchObject({ code: 1 });
  expect(await person.credits()).toBe(53);
  const actions = await actionsOf(person.id);
  expect(actions.map(({ action, reason }) => [action, reason])).toEqual([
    ['grant', 'a lost image'],
    ['grant', 'another one'],
  ]);
  expect(actions.every(({ operator }) => operator.length > 0)).toBe(true);
});

test.runIf(soak)('a plan is granted until a date, shown, and revoked', async () => {
  const person = await createPerson(server);
  const grantPlan = (...args: string[]) =>
    billing('plan', person.id, ...args, '--reason', 'a friend of the house');
  for (const args of [
    ['gold', '--until', 'never'],
    ['pro'],
    ['pro', '--until', '2020-01-01'],
    ['pro', '--until', '2099-02-31T99:00Z'],
  ])
    expect(await grantPlan(...args), args.join(' ')).toMatchObject({ code: 1 });
  expect(await planOf(person)).toBe('free');
  expect((await grantPlan('business', '--until', '2099-12-31')).output).toContain(
    'business through 2099-12-31.',
  );
  expect(await planOf(person)).toBe('business');
  expect((await grantPlan('business', '--until', '2099-12-31')).output).toContain('already has this plan');
  const { output } = await billing('show', person.email);
  expect(output).toMatch(/^[\d-]{10} [\d:]{5} {2}plan {6}free -> business by operator/m);
  expect(output).toMatch(/operator {2}plan by \S+ \(a friend of the house\)/);
  expect(output).toContain('+10 grant test test');
  expect((await billing('revoke', person.id, '--reason', 'over')).output).toContain('Revoked the plan');
  expect(await planOf(person)).toBe('free');
  expect((await billing('revoke', person.id, '--reason', 'over')).output).toContain(
    'no granted plan to revoke',
  );
  expect((await actionsOf(person.id)).map(({ action }) => action)).toEqual(['plan', 'revoke']);
});

/** Returns everything that a payment changes as text: facts, plan, ledger, mails. */
async function traces(person: Person): Promise<string> {
  const parts = [
    'select id, plan, credits, subscription_status from users where id = $1',
    'select status, period_end, access_until from subscriptions where user_id = $1 order by id',
    'select external_id, amount_cents, refunded_cents from payments where user_id = $1 order by external_id',
    'select delta, kind, source, external_id from credit_ledger where user_id = $1 order by id',
    'select from_plan, to_plan, cause from plan_changes where user_id = $1 order by id',
    'select key from billing_mails where user_id = $1 order by key',
  ];
  const rows = await Promise.all(
    parts.map(async (part) => (await server.database.query(part, [person.id])).rows),
  );
  return JSON.stringify(rows);
}

const mails = async (person: Person) =>
  (await mailsTo(server, person.email)).map(({ subject }) => subject).sort();

test('a payment is shown and mailed once however often it is reported; a replay changes nothing', async () => {
  await shop.creem({ duplicate: 3 });
  const person = await createPerson(server);
  await shop.buy(person, 'yearly');
  await eventually(async () => (await mails(person)).length === 1);
  await shop.creem({ duplicate: 1, resend: 'all' });
  const rows = () =>
    server.database.query<{ outcome: string; reason: string; event_id: string }>(
      'select outcome, reason, event_id from billing_events order by id',
    );
  await eventually(
    async () => (await rows()).rows.filter(({ reason }) => reason === 'duplicate').length >= 8,
  );
  const before = await traces(person);
  expect((await billing('replay', '--since', '2026-01-01')).output).toMatch(
    /^Replayed events: \d+ applied, 0 failed\.\n$/,
  );
  const event = (await rows()).rows.find(({ outcome }) => outcome === 'applied')?.event_id ?? '';
  await server.database.query(
    `update billing_events set outcome = 'failed', next_try_at = app_now() + interval '1 day' where event_id = $1 and reason <> 'duplicate'`,
    [event],
  );
  expect((await billing()).output).toContain(event);
  expect((await billing('replay', '--failed')).output).toBe('Replayed events: 1 applied, 0 failed.\n');
  expect((await billing('replay', event)).output).toBe('Replayed events: 1 applied, 0 failed.\n');
  for (const args of sampleOf([[], [event, '--failed'], ['evt_none'], ['--since', 'once']]))
    expect(await billing('replay', ...args), args.join(' ')).toMatchObject({ code: 1 });
  expect(await traces(person)).toBe(before);
  await runJob(server, 'send-billing-mails');
  const [mail] = await mailsTo(server, person.email);
  expect([await mails(person), mail?.text]).toEqual([
    [expect.stringContaining('Your payment for')],
    expect.stringContaining('Paid: $69.99'),
  ]);
  const { output } = await billing('show', person.id);
  expect(output).toMatch(/^pro, subscription active, 10 credits/m);
  expect(output).toMatch(
    /^Subscription sub_\S+ \(yearly\): active, paid until [\d :-]+, Pro until [\d :-]+ \(includes 72 hours of grace for a late renewal\), started /m,
  );
  expect(output).toMatch(/ event {5}subscription\.paid evt_\S+ applied$/m);
  expect(output).toMatch(/ payment {3}tran_\S+ yearly 69\.99 USD until/m);
  expect(output).toMatch(/ ledger {4}\+0 grant payment Pro, 1 year: paid until/m);
  expect(output).toMatch(/ mail {6}receipt sent/m);
});

test('payments that webhooks missed are read from the provider, and a payment can be refunded', async () => {
  await shop.creem({ webhooks: false });
  const person = await createPerson(server);
  await shop.press((await shop.begin(person, 'monthly')).data.url);
  expect(await planOf(person)).toBe('free');
  expect((await billing('reconcile', person.email)).output).toBe(
    'Checked 1: 1 fixed, 0 not found at the provider, 0 could not be read.\n',
  );
  expect(await planOf(person)).toBe('pro');
  expect((await billing('reconcile')).output).toMatch(/^Checked \d+: 0 fixed, 0 not found/);
  expect((await billing('list')).output).toMatch(
    new RegExp(`Fixed by reconciling with the provider.*: 1\\n.*${person.id}  free -> pro`),
  );

  const { rows } = await server.database.query<{ id: string; external_id: string }>(
    'select id, external_id from payments where user_id = $1',
    [person.id],
  );
  const refund = (id: string, ...args: string[]) => billing('refund', id, ...args);
  expect(await refund(rows[0]?.external_id ?? '')).toMatchObject({ code: 1 });
  expect(await refund('tran_none', '--reason', 'x')).toMatchObject({ code: 1 });
  expect(await refund(rows[0]?.external_id ?? '', '--reason', 'bought by mistake')).toEqual({
    code: 0,
    output: 'The payment was refunded. Its plan has ended.\n',
  });
  expect(await planOf(person)).toBe('free');
  expect((await refund(rows[0]?.id ?? '', '--reason', 'again')).output).toContain('Nothing changed');
  await shop.creem({ webhooks: true });
  await runJob(server, 'send-billing-mails');
  await eventually(async () => (await mails(person)).length === 2);
  expect(await mails(person)).toEqual([
    expect.stringContaining('Your payment for'),
    expect.stringContaining('Your refund from'),
  ]);
  const { output } = await billing('show', person.id);
  expect(output).toMatch(
    / refund {4}tran_\S+ 19\.99 USD succeeded requested by operator bought by mistake$/m,
  );
  expect(output).toMatch(/^Subscription sub_\S+ \(monthly\): refunded \(canceled at the provider\)/m);
  expect((await actionsOf(person.id)).map(({ action }) => action)).toEqual(['reconcile', 'refund']);
});

test.runIf(soak)(
  'the list names disputes, refunded subscriptions that still renew, and people who pay twice',
  async () => {
    const [disputer, duplicatePayer] = [await createPerson(server), await createPerson(server)];
    const checkouts = [
      await shop.begin(duplicatePayer, 'monthly'),
      await shop.begin(duplicatePayer, 'yearly'),
    ];
    for (const { data } of checkouts) await shop.press(data.url);
    await shop.buy(disputer, 'yearly');
    const { rows } = await server.database.query<{ external_id: string }>(
      'select external_id from payments where user_id = $1',
      [disputer.id],
    );
    // The provider's API is down, so the job cannot end the subscription and the report shows it.
    await shop.creem({ api: { fault: 'down', path: '/v1/subscriptions' }, dispute: rows[0]?.external_id });
    await eventually(async () => (await planOf(disputer)) === 'free');
    await eventually(async () => (await shop.billing(duplicatePayer)).subscriptions.length === 2);
    const { output } = await billing();
    const section = (title: string) => output.split(`\n${title}: `)[1]?.split('\n\n')[0] ?? '';
    expect(section('Disputes')).toMatch(new RegExp(`^1\\n.* ${disputer.id} {2}tran_\\S+ yearly 69\\.99 USD`));
    expect(section('Refunded or disputed, but still renewing')).toMatch(
      new RegExp(`^1\\n.* ${disputer.id} {2}sub_\\S+ yearly disputed \\(active\\)`),
    );
    expect(section('Duplicate subscriptions, and payments from deleted accounts')).toMatch(
      new RegExp(`^1\\n.* ${duplicatePayer.id} {2}duplicate subscriptions: sub_\\S+ \\w+, sub_\\S+ \\w+`),
    );
    await shop.creem({ api: null });
  },
);

test.runIf(soak)(
  'an event that cannot be applied is retried a number of times, then listed as failed until it is replayed',
  async () => {
    const body = eventBody('refund.created', { id: 'ref_odd', status: 'succeeded', transaction: 'tran_x' });
    const { id } = JSON.parse(body) as { id: string };
    expect((await deliver(server, body)).status).toBe(200);
    const state = () =>
      server.database.query<{ outcome: string; attempts: number; waits: boolean }>(
        `select outcome, attempts, next_try_at is not null as waits from billing_events where event_id = $1`,
        [id],
      );
    await eventually(async () => (await state()).rows[0]?.outcome === 'failed');
    const due = () =>
      server.database.query(
        `update billing_events set next_try_at = app_now() where event_id = $1 and next_try_at is not null`,
        [id],
      );
    for (let run = 0; run < maxEventAttempts + 2; run++) {
      await due();
      await runJob(server, 'apply-events');
    }
    expect((await state()).rows).toEqual([{ outcome: 'failed', attempts: maxEventAttempts, waits: false }]);
    expect(server.output()).toContain('a billing event failed and will not be retried');
    expect((await billing()).output).toContain(
      `${id} refund.created after ${maxEventAttempts} attempts, no longer retried (unreadable`,
    );
    expect((await billing('replay', id)).output).toContain('Replayed events: 0 applied, 1 failed.\n');
    expect((await state()).rows).toEqual([
      { outcome: 'failed', attempts: maxEventAttempts + 1, waits: false },
    ]);
  },
);

test.runIf(soak)(
  'a refund beyond its payment and a reversed one are listed, and every invariant holds',
  async () => {
    const person = await createPerson(server);
    await shop.buy(person, 'monthly');
    const { rows } = await server.database.query<{ external_id: string }>(
      'select external_id from payments where user_id = $1',
      [person.id],
    );
    const payment = rows[0]?.external_id ?? '';
    const deliverRefund = (status: string, amount: number, id: string) =>
      deliver(
        server,
        eventBody('refund.created', {
          id,
          status,
          refund_amount: amount,
          transaction: payment,
          mode: 'test',
        }),
      );
    await deliverRefund('succeeded', 5000, `ref_big_${payment}`);
    await eventually(async () => (await planOf(person)) === 'free');
    await expectConsistent(server);
    const mismatchSection = async () =>
      (await billing()).output.split('\nRefund mismatches (90 days): ')[1]?.split('\n\n')[0] ?? '';
    expect(await mismatchSection()).toMatch(
      new RegExp(
        `^1\\n.* ${person.id} {2}ref_big_${payment} of ${payment} 50\\.00 USD 30\\.01 more than was left of the payment$`,
      ),
    );
    // The provider's record, which has no refund, is read for this event.
    await deliverRefund('failed', 5000, `ref_big_${payment}`);
    await eventually(async () => (await planOf(person)) === 'pro');
    await expectConsistent(server);
    expect(await mismatchSection()).toMatch(/^1\n.* 50\.00 USD reversed after it was made$/);
  },
);

test.runIf(soak)(
  'a pack is shown, refunded by its payment, and listed if its credits were used',
  async () => {
    const person = await createPerson(server, { credits: 0 });
    const { payment, checkoutId } = await shop.buyPack(person);
    expect((await billing('show', person.id)).output).toContain(`payment   ${payment} 100 credits 4.99 USD`);
    await server.database.query(
      `with spent as (insert into credit_ledger (user_id, delta, kind, source, external_id)
       values ($1, -40, 'adjust', 'test', $2) returning user_id)
     update users set credits = credits - 40 from spent where id = spent.user_id`,
      [person.id, checkoutId],
    );
    const refunded = await billing('refund', payment, '--reason', 'asked in a mail');
    expect(refunded.output).toContain('The payment was refunded.\n');
    expect(await person.credits()).toBe(0);
    expect((await billing('refund', payment, '--reason', 'again')).output).toContain('Nothing changed');
    const { output } = await billing();
    expect(output).toMatch(/Packs refunded or disputed after their credits were used \(90 days\): 1\n/);
    expect(output).toContain(`${payment} 100 credits, 4.99 USD refunded removed 60 of 100`);
  },
);

test('errors are reported in one line', async () => {
  for (const args of sampleOf([['show', 'nobody@example.com'], ['dance'], ['--nonsense']])) {
    const { code, output } = await billing(...args);
    expect([code, output.includes('    at ')], args.join(' ')).toEqual([1, false]);
  }
  expect(await billing('--help')).toMatchObject({
    code: 0,
    output: expect.stringContaining('npm run billing'),
  });
});

test('every invariant holds', () => expectConsistent(server));
