import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createOperator, OPERATOR, type Operator } from '../support/admin.ts';
import { expectConsistent } from '../support/consistency.ts';
import { contactForm, referenceOf } from '../support/contact.ts';
import { client, createPerson } from '../support/people.ts';
import { createPrompt } from '../support/prompts.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';

// The doctor is a separate process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let server: TestServer;
let operator: Operator;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  operator = await createOperator(server);
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

/** Returns the statuses of two simultaneous presses of one button. */
const statusesOf = async (press: () => Promise<Response>) =>
  (await Promise.all([press(), press()])).map(({ status }) => status);

const hostile = '</p><script>alert(1)</script><img src=x onerror=alert(2)>"\'';
const expectAsText = (html: string) => {
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script>alert|<img src=x/);
};

test('a prompt is reviewed, rejected with a reason, resubmitted, published and unpublished', async () => {
  const person = await createPerson(server);
  const { id } = await createPrompt(person, {
    title: `Hostile ${hostile}`,
    content: `Twenty letters at least ${hostile}`,
  });
  expect((await operator.get(`/admin/prompts/${id}`)).status).toBe(404);
  await person.send('POST', `/api/prompts/${id}/submission`);
  expectAsText(await operator.page('/admin/prompts'));
  const page = await operator.page(`/admin/prompts/${id}`);
  expectAsText(page);
  const revision = /name="revision" value="(\d+)"/.exec(page)?.[1] ?? '';
  const decide = (decision: string, fields: Record<string, string> = {}) =>
    operator.submit(`/admin/prompts/${id}/${decision}`, { revision, ...fields });
  expect((await decide('reject')).status).toBe(400);
  expect((await decide('delete')).status).toBe(404);
  const press = { press: randomUUID(), reason: hostile };
  expect(await statusesOf(() => decide('reject', press))).toEqual([303, 303]);
  expectAsText(await operator.page(`/admin/prompts/${id}`));
  await person.send('POST', `/api/prompts/${id}/submission`);
  expect((await decide('approve', { revision: '99' })).status).toBe(400);
  expect((await decide('approve')).status).toBe(303);
  expect((await client(server).get(`/api/prompts/${id}`)).status).toBe(200);
  expect((await decide('unpublish', { reason: 'not ours' })).status).toBe(303);
  expect((await client(server).get(`/api/prompts/${id}`)).status).toBe(404);
});

test('a message is shown as text and marked as answered, once', async () => {
  const sent = await fetch(`${server.url}/contact`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.url },
    body: new URLSearchParams(contactForm({ name: 'A <b>', message: hostile })),
  });
  const reference = referenceOf(sent);
  expect(await operator.page('/admin/messages')).toContain(reference);
  expectAsText(await operator.page(`/admin/messages/${reference}`));
  const press = randomUUID();
  expect(await statusesOf(() => operator.submit(`/admin/messages/${reference}/done`, { press }))).toEqual([
    303, 303,
  ]);
  expect(await operator.page(`/admin/messages/${reference}`)).toContain(`by ${OPERATOR}`);
  expect(await operator.page('/admin/messages')).not.toContain(reference);
  expect(await operator.page('/admin/messages?state=')).toContain(reference);
  expect((await operator.submit(`/admin/messages/${reference}/done`)).status).toBe(400);
  expect((await operator.get('/admin/messages/C-0000-0000')).status).toBe(404);
});

test('a newsletter issue and its test are each sent once per press', async () => {
  const subject = `News ${randomUUID()}`;
  const issue = { subject, body: `Words ${randomUUID()}` };
  const [trial, sent] = [randomUUID(), randomUUID()];
  for (const [action, press] of [
    ['trial', trial],
    ['send', sent],
  ] as const)
    expect(
      await statusesOf(() => operator.submit(`/admin/newsletter/${action}`, { ...issue, press })),
    ).toEqual([303, 303]);
  expect((await operator.submit('/admin/newsletter/send', issue)).status).toBe(409);
  const { rows } = await server.database.query(
    `select (select count(*)::int from newsletter_deliveries d join newsletter_issues i on i.id = d.issue_id
              where i.subject = $1 and d.trial_address is not null) as trials,
            (select count(*)::int from operator_actions where press = any($2)) as acts`,
    [subject, [trial, sent]],
  );
  expect(rows).toEqual([{ trials: 1, acts: 2 }]);
});

test.runIf(soak)('a newsletter issue is previewed, sent as a test and sent once', async () => {
  const issue = {
    subject: `News ${randomUUID()}`,
    body: `# Head\n\nWords of **this** issue ${hostile} ${randomUUID()}`,
  };
  const preview = await (await operator.submit('/admin/newsletter/preview', issue)).text();
  expect(preview).not.toMatch(/<script>alert|<img src=x/);
  expect(preview).toContain('Send to all subscribers (0)');
  expect(preview).toContain('<h1>Head</h1>\n<p>Words of <strong>this</strong> issue');
  const trial = await operator.submit('/admin/newsletter/trial', issue);
  expect(trial.status).toBe(303);
  const trialPage = await operator.page(trial.headers.get('location') ?? '');
  expect(trialPage).toContain('The test arrives at your address within a minute.');
  expect(trialPage).toMatch(new RegExp(`<input [^>]*maxLength="150"[^>]* value="${issue.subject}"`));
  expect(trialPage).toContain('Send to all subscribers (0)');
  expect(await operator.page('/admin/newsletter')).toContain(
    new URL(trial.headers.get('location') ?? '', server.url).pathname,
  );
  await eventually(async () => {
    const mails = await fetch(`${server.standins}/mail/messages?to=${encodeURIComponent(OPERATOR)}`);
    return JSON.stringify(await mails.json()).includes(`[Trial] ${issue.subject}`);
  }, 80_000);
  const press = { ...issue, press: randomUUID() };
  for (let times = 0; times < 2; times++)
    expect((await operator.submit('/admin/newsletter/send', press)).status).toBe(303);
  expect(await operator.page(`/admin/newsletter?done=${press.press}`)).toContain(
    'Sending to all subscribers (0)',
  );
  expect((await operator.submit('/admin/newsletter/send', issue)).status).toBe(409);
  expect((await operator.submit('/admin/newsletter/send', { subject: '', body: 'x' })).status).toBe(400);
});

test('an image prompt that the model refused is listed as text', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const id = randomUUID();
  await server.database.query(
    `insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, units, owner, finished_at, error_code, error_message, text)
     values ($1, $2, 'image', 'failed', true, $1::uuid::text, '', 0, 1, 'test', app_now(), 'refused', 'run_declined', '')`,
    [id, person.id],
  );
  await server.database.query(
    `insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id) values ($1, 0, 'hold', $2, 'hold', $2::uuid::text), ($1, 0, 'release', $2, 'release', $2::uuid::text)`,
    [person.id, id],
  );
  await server.database.query(
    `insert into image_jobs (id, user_id, prompt, size, count, model) values ($1, $2, $3, '512x512', 1, 'm')`,
    [id, person.id, hostile],
  );
  expectAsText(await operator.page('/admin/images'));
  await server.database.query('delete from image_jobs where id = $1', [id]);
  await server.database.query(
    `insert into usage_days (user_id, day, feature, runs, credits) values ($1, (app_now() at time zone 'UTC')::date, 'image', 1, 0)
     on conflict do nothing`,
    [person.id],
  );
});

test('the doctor’s findings and the audit’s result are shown on request', async () => {
  const doctor = await (await operator.submit('/admin/health/doctor')).text();
  expect(doctor).toContain('>Node</td>');
  const audit = await (await operator.submit('/admin/health/audit')).text();
  expect(audit).toMatch(/All \d+ invariants hold\./);
  expect((await operator.get('/admin/people')).status).toBe(200);
});
