import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { audit, auditCommand, expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { createPerson } from '../support/people.ts';
import { runEntry, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let person: { id: string };
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  const created = await createPerson(server);
  const sent = await send(created, `${uniqueWord()} [[tps:0]]`);
  await waitForEnd(created, sent.body.generation.id);
  await waitUntilIdle(server);
  person = created;
});
afterAll(() => server.stop());

/** Wraps a statement so that it can change the append-only ledger. */
const forced = (statement: string) =>
  `alter table credit_ledger disable trigger user; ${statement}; alter table credit_ledger enable trigger user`;
const generation = (id: string, columns: string, values: string) =>
  `insert into generations (id, user_id, feature, counted, idempotency_key, request_hash, price, owner, ${columns})
     values ('${id}', '${person.id}', 'chat', true, '${id}', '\\x00', 0, 'nobody', ${values})`;
const entry = (id: string, kind: string) =>
  `insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id)
     values ('${person.id}', 0, '${kind}', '${id}', '${kind}', '${id}')`;
const removeRun = (id: string) =>
  forced(
    `delete from credit_ledger where generation_id = '${id}'; delete from generations where id = '${id}'`,
  );

interface Fault {
  name: string;
  violates: string[];
  damage(id: string): string;
  repair(id: string): string;
}

/** What an erasure could leave behind for a person with this id. */
const leftovers: Array<[what: string, leave: (id: string) => string, violates?: string[]]> = [
  ['a picture', (id) => `insert into avatars (user_id, version, bytes) values ('${id}', 'v', '\\x00')`],
  [
    'a sign-in method',
    (id) => `insert into identities (provider, subject, user_id) values ('google', '${id}', '${id}')`,
  ],
  [
    'an offer to restore the account',
    (id) =>
      `insert into restore_offers (token_hash, user_id, expires_at) values ('\\x00', '${id}', app_now())`,
  ],
  [
    'a file',
    (id) =>
      `insert into attachments (id, user_id, kind, name, type, bytes, file_key, width, height)
         values ('${id}', '${id}', 'image', 'x', 'image/jpeg', 1, 'attachment/${id.slice(0, 2)}/${id}', 1, 1)`,
    ['I14', 'I15'],
  ],
  [
    'a prompt',
    (id) =>
      `insert into prompts (user_id, title, description, content, opening, category, state)
         values ('${id}', 'x', '', 'x', '', 'image', 'private')`,
  ],
  [
    'an uncounted like',
    (id) =>
      `insert into prompt_likes (prompt_id, user_id) select id, '${id}' from prompts where slug = 'review-a-diff'`,
    ['I14', 'I22'],
  ],
  [
    'an uncounted rating',
    (id) =>
      `insert into prompt_uses (prompt_id, user_id, stars, rated_at)
         select id, '${id}', 5, app_now() from prompts where slug = 'review-a-diff'`,
    ['I14', 'I22'],
  ],
  [
    'a report',
    (id) =>
      `insert into prompt_reports (prompt_id, user_id, reason)
         select id, '${id}', 'x' from prompts where slug = 'review-a-diff'`,
  ],
  [
    'a tag',
    (id) => `insert into tags (id, user_id, name, key) values ('${id}', '${id}', 'x', 'x')`,
    ['I14', 'I44'],
  ],
  ['an address', (id) => `update users set email = '${id}@example.com' where id = '${id}'`],
];

const insertSubscription = (id: string, access = 'null') =>
  `insert into subscriptions (id, user_id, provider, external_id, customer_id, product_id, plan, status, version_at, access_until)
     values ('${id}', '${person.id}', 'creem', '${id}', 'c', 'prod_monthly', 'monthly', 'active', app_now() - interval '60 days', ${access})`;
/** A payment for a month that ended a month ago, so that it grants nothing now. */
const insertPayment = (id: string, transaction: string, ledger = true) =>
  `insert into payments (id, subscription_id, user_id, provider, external_id, plan, amount_cents, currency, period_start, period_end, paid_at)
     values (gen_random_uuid(), '${id}', '${person.id}', 'creem', '${transaction}', 'monthly', 1999, 'USD',
             date_trunc('day', app_now()) - interval '60 days', date_trunc('day', app_now()) - interval '30 days', app_now() - interval '60 days')
   ${
     ledger
       ? `; insert into credit_ledger (user_id, delta, kind, source, external_id)
              values ('${person.id}', 0, 'grant', 'payment', 'creem:${transaction}')`
       : ''
   }`;
const insertRefund = (id: string, cents: number) =>
  `insert into refunds (id, payment_id, external_id, amount_cents, state, asked_by)
     select gen_random_uuid(), id, '${id}', ${cents}, 'succeeded', 'provider' from payments where subscription_id = '${id}'`;
const removePayment = (id: string) =>
  forced(
    `delete from refunds where payment_id in (select id from payments where subscription_id = '${id}');
     delete from payments where subscription_id = '${id}'; delete from subscriptions where id = '${id}';
     delete from credit_ledger where external_id like 'creem:%${id}'`,
  );
const insertEvent = (id: string, columns: string, values: string) =>
  `insert into billing_events (provider, event_id, type, occurred_at, payload, ${columns})
     values ('creem', '${id}', 'test', app_now(), '{}', ${values})`;
const removeEvent = (id: string) => `delete from billing_events where event_id = '${id}'`;

/** Faults in billing data. */
const payments: Fault[] = [
  {
    name: 'a payment without an entry in the ledger',
    violates: ['I8'],
    damage: (id) => `${insertSubscription(id)}; ${insertPayment(id, id, false)}`,
    repair: removePayment,
  },
  {
    name: 'a ledger that allows duplicate entries',
    violates: ['I8'],
    damage: () => 'alter table credit_ledger drop constraint credit_ledger_source_external_id_key',
    repair: () => 'alter table credit_ledger add unique (source, external_id)',
  },
  {
    name: 'a period paid twice',
    violates: ['I8'],
    damage: (id) =>
      `${insertSubscription(id)}; ${insertPayment(id, `a-${id}`)}; ${insertPayment(id, `b-${id}`)}`,
    repair: removePayment,
  },
  {
    name: 'a plan change without an event',
    violates: ['I9'],
    damage: (id) =>
      `insert into plan_changes (user_id, from_plan, to_plan, cause, cause_id) values
         ('${person.id}', 'free', 'pro', 'event', '${id}'), ('${person.id}', 'pro', 'free', 'clock', '${id}')`,
    repair: (id) => `delete from plan_changes where cause_id = '${id}'`,
  },
  {
    name: 'subscriptions whose state may go back in time',
    violates: ['I11'],
    damage: () => 'alter table subscriptions disable trigger subscriptions_forward',
    repair: () => 'alter table subscriptions enable trigger subscriptions_forward',
  },
  {
    name: 'refunds that exceed the payment',
    violates: ['I13'],
    damage: (id) =>
      `${insertSubscription(id)}; ${insertPayment(id, id)}; update payments set refunded_cents = 1999 where subscription_id = '${id}'; ${insertRefund(id, 2000)}`,
    repair: removePayment,
  },
  {
    name: 'an unprocessed event',
    violates: ['I16'],
    damage: (id) => insertEvent(id, 'created_at', `app_now() - interval '11 minutes'`),
    repair: removeEvent,
  },
  {
    name: 'a failed event without a retry',
    violates: ['I16'],
    damage: (id) => insertEvent(id, 'outcome, reason', `'failed', 'x'`),
    repair: removeEvent,
  },
  {
    name: 'an ignored event without a reason',
    violates: ['I16'],
    damage: (id) => insertEvent(id, 'outcome, handled_at', `'ignored', app_now()`),
    repair: removeEvent,
  },
  {
    name: 'a duplicate without an original',
    violates: ['I16'],
    damage: (id) => insertEvent(id, 'outcome, reason, handled_at', `'ignored', 'duplicate', app_now()`),
    repair: removeEvent,
  },
  {
    name: 'Pro beyond the paid period',
    violates: ['I23'],
    // The plan has already ended: an active one would violate another invariant.
    damage: (id) => `${insertSubscription(id, `app_now() - interval '1 hour'`)}; ${insertPayment(id, id)}`,
    repair: removePayment,
  },
];

const newsletterFaults: Fault[] = [
  {
    name: 'a newsletter request older than a week',
    violates: ['I24'],
    damage: (id) => `insert into newsletter_requests (id, email, wording, source, network, expires_at)
      values ('${id}', '${id}@example.com', 1, '/blog', 'x', app_now() - interval '3 hours')`,
    repair: (id) => `delete from newsletter_requests where id = '${id}'`,
  },
  {
    name: 'an issue that waits for a former subscriber',
    violates: ['I24'],
    damage: (
      id,
    ) => `insert into newsletter_issues (id, body_hash, subject, body) values ('${id}', '${id}', 'x', 'x');
      insert into newsletter_subscribers (id, address_hash, leave_token, left_at) values ('${id}', '${id}', '${id}', app_now());
      insert into newsletter_deliveries (issue_id, subscriber_id) values ('${id}', '${id}')`,
    repair: (id) =>
      `delete from newsletter_subscribers where id = '${id}'; delete from newsletter_issues where id = '${id}'`,
  },
  {
    name: 'an overdue issue',
    violates: ['I24'],
    damage: (
      id,
    ) => `insert into newsletter_issues (id, body_hash, subject, body) values ('${id}', '${id}', 'x', 'x');
      insert into newsletter_deliveries (issue_id, trial_address, next_try_at)
        values ('${id}', 'nobody', app_now() - interval '3 hours');
      create function held() returns trigger language plpgsql as 'begin return null; end';
      -- Else the job of the minute may take it meanwhile.
      create trigger held before update on newsletter_deliveries for each row execute function held()`,
    repair: (id) =>
      `drop function held cascade; delete from newsletter_deliveries where issue_id = '${id}'; delete from newsletter_issues where id = '${id}'`,
  },
];

const supportFaults: Fault[] = [
  {
    name: 'a mail to support that is not retried',
    violates: ['I25'],
    // The trigger keeps the minutely job from sending the mail.
    damage: (id) => `insert into contact_messages (id, reference, kind, name, email, message, digest)
        values ('${id}', 'C-2222-2222', 'question', '', 'x@example.com', 'x', '\\x00');
      insert into contact_mails (message_id, kind, attempts, next_try_at, sent_at) values
        ('${id}', 'support', 1, app_now() - interval '11 minutes', null), ('${id}', 'receipt', 1, app_now(), app_now());
      create function hold() returns trigger language plpgsql as 'begin return null; end';
      create trigger held before update on contact_mails for each row execute function hold()`,
    repair: (id) =>
      `drop trigger held on contact_mails; drop function hold; delete from contact_messages where id = '${id}'`,
  },
];

const faults: Fault[] = [
  {
    name: 'a manually changed balance',
    violates: ['I1'],
    damage: () => `update users set credits = credits + 1 where id = '${person.id}'`,
    repair: () => `update users set credits = credits - 1 where id = '${person.id}'`,
  },
  {
    name: 'a ledger that is not append-only',
    violates: ['I3'],
    damage: () => 'alter table credit_ledger disable trigger credit_ledger_append_only',
    repair: () => 'alter table credit_ledger enable trigger credit_ledger_append_only',
  },
  {
    name: 'a finished reply without settlement',
    violates: ['I4', 'I5'],
    damage: (id) =>
      `${generation(id, 'state, text, finished_at', `'done', 'x', app_now()`)}; ${entry(id, 'hold')}`,
    repair: removeRun,
  },
  {
    name: 'a settled reply without a text',
    violates: ['I6'],
    damage: (id) =>
      `${generation(id, 'state, finished_at', `'done', app_now()`)}; ${entry(id, 'hold')}; ${entry(id, 'settle')}`,
    repair: removeRun,
  },
  {
    name: 'a run that reports a higher charge than the ledger',
    violates: ['I21'],
    damage: (id) =>
      `${generation(id, 'state, text, credits_charged, finished_at', `'done', 'x', 1, app_now()`)};
         ${entry(id, 'hold')}; ${entry(id, 'settle')}`,
    repair: removeRun,
  },
  {
    name: 'a plan without a cause',
    violates: ['I9', 'I10'],
    damage: () => `update users set plan = 'pro' where id = '${person.id}'`,
    repair: () => `update users set plan = 'free' where id = '${person.id}'`,
  },
  {
    name: 'welcome credits for an unknown person',
    violates: ['I1', 'I12'],
    damage: (id) =>
      `insert into credit_ledger (user_id, delta, kind, source, external_id) values ('${person.id}', 10, 'grant', 'welcome', '${id}')`,
    repair: (id) => forced(`delete from credit_ledger where source = 'welcome' and external_id = '${id}'`),
  },
  {
    name: 'a purchase refund above the purchase',
    violates: ['I27', 'I30'],
    damage: (id) =>
      `insert into credit_ledger (user_id, delta, kind, source, external_id) values ('${person.id}', 5, 'grant', 'purchase', '${id}');
       insert into credit_ledger (user_id, delta, kind, source, external_id, grant_id)
         select user_id, -6, 'adjust', 'purchase_refund', '${id}', id from credit_ledger where external_id = '${id}';
       update users set credits = credits - 1 where id = '${person.id}'`,
    repair: (id) =>
      `${forced(`delete from credit_ledger where source = 'purchase_refund' and external_id = '${id}';
         delete from credit_ledger where source = 'purchase' and external_id = '${id}'`)};
       update users set credits = credits + 1 where id = '${person.id}'`,
  },
  {
    name: 'a chat of an erased person',
    violates: ['I14'],
    damage: () => `update users set erased_at = app_now() where id = '${person.id}'`,
    repair: () => `update users set erased_at = null where id = '${person.id}'`,
  },
  ...leftovers.map(
    ([subject, leave, violates = ['I14']]): Fault => ({
      name: `${subject} of an erased person`,
      violates,
      damage: (id) =>
        `insert into users (id, name, deleted_at, erased_at) values ('${id}', 'x', app_now(), app_now()); ${leave(id)}`,
      repair: (id) => `delete from tags where user_id = '${id}'; delete from users where id = '${id}'`,
    }),
  ),
  {
    name: 'an event of the payment provider and a mail of an erased person',
    violates: ['I14'],
    damage: (id) =>
      `insert into users (id, name, deleted_at, erased_at) values ('${id}', 'x', app_now(), app_now());
       insert into billing_events (provider, event_id, type, occurred_at, payload, outcome, user_id, created_at, handled_at)
         values ('creem', '${id}', 'x', app_now(), '{"email":"x"}', 'applied', '${id}', app_now() - interval '4 hours', app_now());
       insert into billing_mails (key, user_id, kind, facts, sent_at) values ('${id}', '${id}', 'refund', '{"plan":"monthly"}', app_now())`,
    repair: (id) =>
      `delete from billing_mails where user_id = '${id}'; delete from billing_events where user_id = '${id}';
       delete from users where id = '${id}'`,
  },
  {
    name: 'a fourth conversation of a day',
    violates: ['I18'],
    damage: (id) =>
      `insert into chat_sessions (id, user_id, title) select gen_random_uuid(), '${person.id}', '${id}' from generate_series(1, 3)`,
    repair: (id) => `delete from chat_sessions where title = '${id}'`,
  },
  {
    name: 'a reply compared with a message that is no reply',
    violates: ['I39'],
    damage: (id) =>
      `${generation(id, 'state, text, finished_at, input', `'done', 'x', app_now(), '{"beside":{"id":"${person.id}"}}'`)};
         ${entry(id, 'hold')}; ${entry(id, 'settle')};
       insert into chat_messages (id, session_id, parent_id, role, content, generation_id)
         select '${id}', session_id, parent_id, role, 'x', '${id}' from chat_messages
          where user_id = '${person.id}' and role = 'assistant' limit 1`,
    repair: (id) => `delete from chat_messages where id = '${id}'; ${removeRun(id)}`,
  },
  {
    name: 'a reply with the images of a run that creates none',
    violates: ['I43'],
    damage: () =>
      `update chat_messages set drawn_by = generation_id where user_id = '${person.id}' and role = 'assistant'`,
    repair: () => `update chat_messages set drawn_by = null where user_id = '${person.id}'`,
  },
  {
    name: 'a run that is missing from the daily usage',
    violates: ['I26'],
    damage: () => `update usage_days set runs = runs - 1 where user_id = '${person.id}'`,
    repair: () => `update usage_days set runs = runs + 1 where user_id = '${person.id}'`,
  },
  {
    name: 'credits with decimals',
    violates: ['I19'],
    damage: () => 'alter table api_key_runs add column price numeric',
    repair: () => 'alter table api_key_runs drop column price',
  },
  {
    name: 'money with decimals',
    violates: ['I19'],
    damage: () => 'alter table refunds alter column amount_cents type numeric',
    repair: () => 'alter table refunds alter column amount_cents type integer',
  },
  {
    name: 'a table that uses another clock',
    violates: ['I20'],
    damage: () => 'alter table chat_messages alter column created_at set default now()',
    repair: () => 'alter table chat_messages alter column created_at set default app_now()',
  },
];

it('passes on a consistent database', async () => {
  expect(await audit(server)).toEqual([]);
  expect(await auditCommand(server)).toEqual({ code: 0, violated: [] });
});

it.each([...faults, ...payments, ...newsletterFaults, ...supportFaults])(
  'reports $violates for $name',
  async ({ violates, damage, repair }) => {
    const id = randomUUID();
    await server.database.query(damage(id));
    try {
      expect(await audit(server)).toEqual(violates);
      // Only the nightly audit checks files.
      expect(await audit(server, 'audit')).toEqual(violates.filter((id) => id !== 'I15'));
    } finally {
      await server.database.query(repair(id));
    }
  },
);

it('checks the conversations of a day against the largest limit of that day', async () => {
  const id = randomUUID();
  const limit = (after: string) =>
    server.database.query(
      `insert into setting_changes (change, name, after, actor)
         select coalesce(max(change), 0) + 1, 'plan.free.chatsPerDay', $1, 'x' from setting_changes`,
      [after],
    );
  const start = (count: number) =>
    server.database.query(
      `insert into chat_sessions (id, user_id, title) select gen_random_uuid(), $1, $2 from generate_series(1, $3::int)`,
      [person.id, id, count],
    );
  await limit('5');
  await limit('2');
  await start(4);
  expect(await audit(server)).toEqual([]);
  await start(1);
  expect(await audit(server)).toEqual(['I18']);
  await server.database.query('delete from chat_sessions where title = $1', [id]);
});

it('every invariant holds', () => expectConsistent(server));

it('an unreachable database is reported immediately in one line', async () => {
  const place = { databaseUrl: 'postgres://nobody:nothing@127.0.0.1:1/none', dataDir: server.dataDir };
  expect(await runEntry('audit', place)).toEqual({
    code: 1,
    output: "Can't reach the database. Is it running, and is DATABASE_URL correct?\n",
  });
});
