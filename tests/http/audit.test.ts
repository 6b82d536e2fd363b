import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ended, marker, send } from '../support/chat.ts';
import { createPerson } from '../support/people.ts';
import { runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { audit, auditCommand, expectSound, quiet } from '../support/soundness.ts';

let server: TestServer;
let person: { id: string };
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  const made = await createPerson(server);
  const sent = await send(made, `${marker()} [[tps:0]]`);
  await ended(made, sent.body.generation.id);
  await quiet(server);
  person = made;
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
const without = (id: string) =>
  forced(
    `delete from credit_ledger where generation_id = '${id}'; delete from generations where id = '${id}'`,
  );

interface Fault {
  name: string;
  violates: string[];
  make(id: string): string;
  mend(id: string): string;
}

/** What an erasure could leave behind for a person with this id. */
const remains: Array<[what: string, leave: (id: string) => string, violates?: string[]]> = [
  ['a picture', (id) => `insert into avatars (user_id, version, bytes) values ('${id}', 'v', '\\x00')`],
  [
    'a way to sign in',
    (id) => `insert into identities (provider, subject, user_id) values ('google', '${id}', '${id}')`,
  ],
  [
    'an offer to come back',
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
    'a like that is not counted',
    (id) =>
      `insert into prompt_likes (prompt_id, user_id) select id, '${id}' from prompts where slug = 'review-a-diff'`,
    ['I14', 'I22'],
  ],
  [
    'a rating that is not counted',
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

const subscribed = (id: string, access = 'null') =>
  `insert into subscriptions (id, user_id, provider, external_id, customer_id, product_id, plan, status, version_at, access_until)
     values ('${id}', '${person.id}', 'creem', '${id}', 'c', 'prod_monthly', 'monthly', 'active', app_now() - interval '60 days', ${access})`;
/** A payment for a month that ended a month ago, so that it grants nothing now. */
const paid = (id: string, transaction: string, ledger = true) =>
  `insert into payments (id, subscription_id, user_id, provider, external_id, plan, amount_cents, currency, period_start, period_end, paid_at)
     values (gen_random_uuid(), '${id}', '${person.id}', 'creem', '${transaction}', 'monthly', 1999, 'USD',
             date_trunc('day', app_now()) - interval '60 days', date_trunc('day', app_now()) - interval '30 days', app_now() - interval '60 days')
   ${
     ledger
       ? `; insert into credit_ledger (user_id, delta, kind, source, external_id)
              values ('${person.id}', 0, 'grant', 'payment', 'creem:${transaction}')`
       : ''
   }`;
const refunded = (id: string, cents: number) =>
  `insert into refunds (id, payment_id, external_id, amount_cents, state, asked_by)
     select gen_random_uuid(), id, '${id}', ${cents}, 'succeeded', 'provider' from payments where subscription_id = '${id}'`;
const unpaid = (id: string) =>
  forced(
    `delete from refunds where payment_id in (select id from payments where subscription_id = '${id}');
     delete from payments where subscription_id = '${id}'; delete from subscriptions where id = '${id}';
     delete from credit_ledger where external_id like 'creem:%${id}'`,
  );
const delivered = (id: string, columns: string, values: string) =>
  `insert into billing_events (provider, event_id, type, occurred_at, payload, ${columns})
     values ('creem', '${id}', 'test', app_now(), '{}', ${values})`;
const removed = (id: string) => `delete from billing_events where event_id = '${id}'`;

/** Faults in billing data. */
const payments: Fault[] = [
  {
    name: 'a payment without an entry in the ledger',
    violates: ['I8'],
    make: (id) => `${subscribed(id)}; ${paid(id, id, false)}`,
    mend: unpaid,
  },
  {
    name: 'a ledger that takes an entry twice',
    violates: ['I8'],
    make: () => 'alter table credit_ledger drop constraint credit_ledger_source_external_id_key',
    mend: () => 'alter table credit_ledger add unique (source, external_id)',
  },
  {
    name: 'a period that was paid twice',
    violates: ['I8'],
    make: (id) => `${subscribed(id)}; ${paid(id, `a-${id}`)}; ${paid(id, `b-${id}`)}`,
    mend: unpaid,
  },
  {
    name: 'a change of plan that no event has caused',
    violates: ['I9'],
    make: (id) =>
      `insert into plan_changes (user_id, from_plan, to_plan, cause, cause_id) values
         ('${person.id}', 'free', 'pro', 'event', '${id}'), ('${person.id}', 'pro', 'free', 'clock', '${id}')`,
    mend: (id) => `delete from plan_changes where cause_id = '${id}'`,
  },
  {
    name: 'subscriptions that may go back in time',
    violates: ['I11'],
    make: () => 'alter table subscriptions disable trigger subscriptions_forward',
    mend: () => 'alter table subscriptions enable trigger subscriptions_forward',
  },
  {
    name: 'more given back than was paid',
    violates: ['I13'],
    make: (id) =>
      `${subscribed(id)}; ${paid(id, id)}; update payments set refunded_cents = 1999 where subscription_id = '${id}'; ${refunded(id, 2000)}`,
    mend: unpaid,
  },
  {
    name: 'an event that nobody took up',
    violates: ['I16'],
    make: (id) => delivered(id, 'created_at', `app_now() - interval '11 minutes'`),
    mend: removed,
  },
  {
    name: 'an event that failed and is not tried again',
    violates: ['I16'],
    make: (id) => delivered(id, 'outcome, reason', `'failed', 'x'`),
    mend: removed,
  },
  {
    name: 'an event that was ignored without a word',
    violates: ['I16'],
    make: (id) => delivered(id, 'outcome, handled_at', `'ignored', app_now()`),
    mend: removed,
  },
  {
    name: 'a duplicate of nothing',
    violates: ['I16'],
    make: (id) => delivered(id, 'outcome, reason, handled_at', `'ignored', 'duplicate', app_now()`),
    mend: removed,
  },
  {
    name: 'Pro that goes on after what was paid',
    violates: ['I23'],
    // The plan has already ended: an active one would violate another invariant.
    make: (id) => `${subscribed(id, `app_now() - interval '1 hour'`)}; ${paid(id, id)}`,
    mend: unpaid,
  },
];

const newsletterFaults: Fault[] = [
  {
    name: 'a wish for the newsletter that outlived its week',
    violates: ['I24'],
    make: (id) => `insert into newsletter_requests (id, email, wording, source, network, expires_at)
      values ('${id}', '${id}@example.com', 1, '/blog', 'x', app_now() - interval '3 hours')`,
    mend: (id) => `delete from newsletter_requests where id = '${id}'`,
  },
  {
    name: 'an issue that waits for somebody who has left',
    violates: ['I24'],
    make: (
      id,
    ) => `insert into newsletter_issues (id, body_hash, subject, body) values ('${id}', '${id}', 'x', 'x');
      insert into newsletter_subscribers (id, address_hash, leave_token, left_at) values ('${id}', '${id}', '${id}', app_now());
      insert into newsletter_deliveries (issue_id, subscriber_id) values ('${id}', '${id}')`,
    mend: (id) =>
      `delete from newsletter_subscribers where id = '${id}'; delete from newsletter_issues where id = '${id}'`,
  },
  {
    name: 'an issue that is due and not sent',
    violates: ['I24'],
    make: (
      id,
    ) => `insert into newsletter_issues (id, body_hash, subject, body) values ('${id}', '${id}', 'x', 'x');
      insert into newsletter_deliveries (issue_id, trial_address, next_try_at)
        values ('${id}', 'nobody', app_now() - interval '3 hours');
      create function held() returns trigger language plpgsql as 'begin return null; end';
      -- Else the job of the minute may take it meanwhile.
      create trigger held before update on newsletter_deliveries for each row execute function held()`,
    mend: (id) =>
      `drop function held cascade; delete from newsletter_deliveries where issue_id = '${id}'; delete from newsletter_issues where id = '${id}'`,
  },
];

const supportFaults: Fault[] = [
  {
    name: 'a mail to support that was tried once and never again',
    violates: ['I25'],
    // The trigger keeps the minutely job from sending the mail.
    make: (id) => `insert into contact_messages (id, reference, kind, name, email, message, digest)
        values ('${id}', 'C-2222-2222', 'question', '', 'x@example.com', 'x', '\\x00');
      insert into contact_mails (message_id, kind, attempts, next_try_at, sent_at) values
        ('${id}', 'support', 1, app_now() - interval '11 minutes', null), ('${id}', 'receipt', 1, app_now(), app_now());
      create function hold() returns trigger language plpgsql as 'begin return null; end';
      create trigger held before update on contact_mails for each row execute function hold()`,
    mend: (id) =>
      `drop trigger held on contact_mails; drop function hold; delete from contact_messages where id = '${id}'`,
  },
];

const faults: Fault[] = [
  {
    name: 'a balance that was changed by hand',
    violates: ['I1'],
    make: () => `update users set credits = credits + 1 where id = '${person.id}'`,
    mend: () => `update users set credits = credits - 1 where id = '${person.id}'`,
  },
  {
    name: 'a ledger that can be rewritten',
    violates: ['I3'],
    make: () => 'alter table credit_ledger disable trigger credit_ledger_append_only',
    mend: () => 'alter table credit_ledger enable trigger credit_ledger_append_only',
  },
  {
    name: 'a finished reply that was never settled',
    violates: ['I4', 'I5'],
    make: (id) =>
      `${generation(id, 'state, text, finished_at', `'done', 'x', app_now()`)}; ${entry(id, 'hold')}`,
    mend: without,
  },
  {
    name: 'a settled reply without a text',
    violates: ['I6'],
    make: (id) =>
      `${generation(id, 'state, finished_at', `'done', app_now()`)}; ${entry(id, 'hold')}; ${entry(id, 'settle')}`,
    mend: without,
  },
  {
    name: 'a run that says that it took more than the ledger did',
    violates: ['I21'],
    make: (id) =>
      `${generation(id, 'state, text, credits_charged, finished_at', `'done', 'x', 1, app_now()`)};
         ${entry(id, 'hold')}; ${entry(id, 'settle')}`,
    mend: without,
  },
  {
    name: 'a plan without a cause',
    violates: ['I9', 'I10'],
    make: () => `update users set plan = 'pro' where id = '${person.id}'`,
    mend: () => `update users set plan = 'free' where id = '${person.id}'`,
  },
  {
    name: 'a welcome for nobody in particular',
    violates: ['I1', 'I12'],
    make: (id) =>
      `insert into credit_ledger (user_id, delta, kind, source, external_id) values ('${person.id}', 10, 'grant', 'welcome', '${id}')`,
    mend: (id) => forced(`delete from credit_ledger where source = 'welcome' and external_id = '${id}'`),
  },
  {
    name: 'more taken back of a purchase than was bought',
    violates: ['I27', 'I30'],
    make: (id) =>
      `insert into credit_ledger (user_id, delta, kind, source, external_id) values ('${person.id}', 5, 'grant', 'purchase', '${id}');
       insert into credit_ledger (user_id, delta, kind, source, external_id, grant_id)
         select user_id, -6, 'adjust', 'purchase_refund', '${id}', id from credit_ledger where external_id = '${id}';
       update users set credits = credits - 1 where id = '${person.id}'`,
    mend: (id) =>
      `${forced(`delete from credit_ledger where source = 'purchase_refund' and external_id = '${id}';
         delete from credit_ledger where source = 'purchase' and external_id = '${id}'`)};
       update users set credits = credits + 1 where id = '${person.id}'`,
  },
  {
    name: 'a chat of an erased person',
    violates: ['I14'],
    make: () => `update users set erased_at = app_now() where id = '${person.id}'`,
    mend: () => `update users set erased_at = null where id = '${person.id}'`,
  },
  ...remains.map(
    ([what, leave, violates = ['I14']]): Fault => ({
      name: `${what} of an erased person`,
      violates,
      make: (id) =>
        `insert into users (id, name, deleted_at, erased_at) values ('${id}', 'x', app_now(), app_now()); ${leave(id)}`,
      mend: (id) => `delete from tags where user_id = '${id}'; delete from users where id = '${id}'`,
    }),
  ),
  {
    name: 'an event of the payment provider and a mail of an erased person',
    violates: ['I14'],
    make: (id) =>
      `insert into users (id, name, deleted_at, erased_at) values ('${id}', 'x', app_now(), app_now());
       insert into billing_events (provider, event_id, type, occurred_at, payload, outcome, user_id, created_at, handled_at)
         values ('creem', '${id}', 'x', app_now(), '{"email":"x"}', 'applied', '${id}', app_now() - interval '4 hours', app_now());
       insert into billing_mails (key, user_id, kind, facts, sent_at) values ('${id}', '${id}', 'refund', '{"plan":"monthly"}', app_now())`,
    mend: (id) =>
      `delete from billing_mails where user_id = '${id}'; delete from billing_events where user_id = '${id}';
       delete from users where id = '${id}'`,
  },
  {
    name: 'a fourth conversation of a day',
    violates: ['I18'],
    make: (id) =>
      `insert into chat_sessions (id, user_id, title) select gen_random_uuid(), '${person.id}', '${id}' from generate_series(1, 3)`,
    mend: (id) => `delete from chat_sessions where title = '${id}'`,
  },
  {
    name: 'a reply beside another one that is none',
    violates: ['I39'],
    make: (id) =>
      `${generation(id, 'state, text, finished_at, input', `'done', 'x', app_now(), '{"beside":{"id":"${person.id}"}}'`)};
         ${entry(id, 'hold')}; ${entry(id, 'settle')};
       insert into chat_messages (id, session_id, parent_id, role, content, generation_id)
         select '${id}', session_id, parent_id, role, 'x', '${id}' from chat_messages
          where user_id = '${person.id}' and role = 'assistant' limit 1`,
    mend: (id) => `delete from chat_messages where id = '${id}'; ${without(id)}`,
  },
  {
    name: 'a reply that shows the images of a run that draws none',
    violates: ['I43'],
    make: () =>
      `update chat_messages set drawn_by = generation_id where user_id = '${person.id}' and role = 'assistant'`,
    mend: () => `update chat_messages set drawn_by = null where user_id = '${person.id}'`,
  },
  {
    name: 'a run that is missing in what was used by day',
    violates: ['I26'],
    make: () => `update usage_days set runs = runs - 1 where user_id = '${person.id}'`,
    mend: () => `update usage_days set runs = runs + 1 where user_id = '${person.id}'`,
  },
  {
    name: 'credits with decimals',
    violates: ['I19'],
    make: () => 'alter table api_key_runs add column price numeric',
    mend: () => 'alter table api_key_runs drop column price',
  },
  {
    name: 'money with decimals',
    violates: ['I19'],
    make: () => 'alter table refunds alter column amount_cents type numeric',
    mend: () => 'alter table refunds alter column amount_cents type integer',
  },
  {
    name: 'a table with a clock of its own',
    violates: ['I20'],
    make: () => 'alter table chat_messages alter column created_at set default now()',
    mend: () => 'alter table chat_messages alter column created_at set default app_now()',
  },
];

it('passes on a database in order', async () => {
  expect(await audit(server)).toEqual([]);
  expect(await auditCommand(server)).toEqual({ code: 0, violated: [] });
});

it.each([...faults, ...payments, ...newsletterFaults, ...supportFaults])(
  'names $violates for $name',
  async ({ violates, make, mend }) => {
    const id = randomUUID();
    await server.database.query(make(id));
    try {
      expect(await audit(server)).toEqual(violates);
      // Only the nightly audit checks files.
      expect(await audit(server, 'audit')).toEqual(violates.filter((id) => id !== 'I15'));
    } finally {
      await server.database.query(mend(id));
    }
  },
);

it('counts the conversations of a day by the largest limit that there was', async () => {
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

it('leaves every invariant whole', () => expectSound(server));

it('a database that is away is told in one line at once', async () => {
  const away = { databaseUrl: 'postgres://nobody:nothing@127.0.0.1:1/none', dataDir: server.dataDir };
  expect(await runEntry('audit', away)).toEqual({
    code: 1,
    output: "Can't reach the database. Is it running, and is DATABASE_URL correct?\n",
  });
});
