import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { hasOperatorAddresses } from '#shared/operator-addresses.ts';
import { runJob } from '../support/files.ts';
import { listMails, press, seedSubscribers, subscribe } from '../support/newsletter.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { sampleOf, soak } from '../support/soak.ts';
import { newAddress } from '../support/visitor.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const SEND = 'send-newsletter-issues';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
  await jobsRun(server);
});
afterAll(() => server.stop());

/** Waits for the job queues, which are created after the server's first log line. */
const jobsRun = (site: TestServer) => eventually(() => runJob(site, SEND).then(() => true));

function fileOf(site: TestServer, text: string): string {
  const path = join(site.dataDir, `issue-${Math.random()}.md`);
  writeFileSync(path, text);
  return path;
}

const newsletter = (...words: string[]) => runEntry('newsletter', server, words);

const control = (site: TestServer, switches: object) =>
  fetch(`${site.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(switches),
  });

async function statesOf(site: TestServer, subject: string): Promise<Record<string, number>> {
  const { rows } = await site.database.query<{ state: string; count: number }>(
    `select d.state, count(*)::int from newsletter_deliveries d join newsletter_issues i on i.id = d.issue_id
      where i.subject = $1 group by d.state`,
    [subject],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const counts = (site: TestServer, emails: string[], subject: string) =>
  Promise.all(
    emails.map(
      async (email) => (await listMails(site, email)).filter((mail) => mail.subject === subject).length,
    ),
  );

const text = `Two things are new, of *which* one <b>matters</b>.

## The first

- See [the guide](/blog/what-is-gpt-5) and [this](https://example.com/?a=1&b=2)
- [not this](javascript:alert(1))

| what | how much |
|---|---|
| words | 3 |
`;

test('an issue is previewed, tested and sent once, with a link to unsubscribe', async () => {
  const { email, unsubscribeToken } = await subscribe(server);
  const [unsubscribed, testAddress] = [await subscribe(server), newAddress()];
  const file = fileOf(server, text);
  const subject = 'What is new';
  const missing = join(server.dataDir, 'none.md');
  for (const wrong of sampleOf([
    ['send', file, '--subject', 'a\nBcc: b@x.test', '--really'],
    ['send', missing, '--subject', 'x'],
    ['send', file, '--subject', 'x', '--test', 'a@x.test\r\nBcc: b@x.test'],
  ]))
    expect(await newsletter(...wrong), wrong.join(' ')).toMatchObject({ code: 1 });
  const dryRun = await newsletter('send', file, '--subject', subject);
  expect(dryRun.output).toContain('Add --really to send it to 2 people');
  expect(dryRun.output).toContain(`the guide (${server.url}/blog/what-is-gpt-5)`);
  expect(await statesOf(server, subject)).toEqual({});

  expect((await newsletter('send', file, '--subject', 'Draft', '--test', testAddress)).code).toBe(0);
  await runJob(server, SEND);
  expect((await listMails(server, testAddress)).map((mail) => mail.subject)).toEqual(['[Trial] Draft']);
  expect(await listMails(server, email)).toHaveLength(2);

  // Two operators at once, and then again with another subject.
  const starts = await Promise.all(
    [0, 1].map(() => newsletter('send', file, '--subject', subject, '--really')),
  );
  expect(starts.map(({ output }) => output.includes('for 2 people')).sort()).toEqual([false, true]);
  await press(server, '/newsletter/unsubscribe', unsubscribed.unsubscribeToken);
  await Promise.all([runJob(server, SEND), runJob(server, SEND)]);
  const again = await newsletter('send', file, '--subject', 'Another subject', '--really');
  expect(again.output).toContain('was already sent');
  await runJob(server, SEND);
  expect(await counts(server, [email, unsubscribed.email, testAddress], subject)).toEqual([1, 0, 0]);
  expect(await statesOf(server, subject)).toEqual({ sent: 2 });

  const [mail] = await listMails(server, email);
  expect(mail?.headers).toMatchObject({
    'list-unsubscribe': `<${server.url}/api/newsletter/unsubscribe?token=${unsubscribeToken}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  expect(mail?.html).toContain(`href="${server.url}/blog/what-is-gpt-5"`);
  expect(mail?.html).toContain('&lt;b&gt;matters&lt;/b&gt;');
  expect(mail?.html).not.toContain('javascript:');
  for (const part of [mail?.html, mail?.text])
    expect(part).toContain(`${server.url}/newsletter/unsubscribe?token=${unsubscribeToken}`);
  expect((await newsletter('list')).output).toMatch(
    /1 sent, 0 waiting, 0 unknown, 0 rejected {2}What is new/,
  );
});

test.skipIf(hasOperatorAddresses())(
  'a public site sends nothing while its addresses are placeholders',
  async () => {
    const site = {
      PUBLIC_URL: 'https://site.example',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Site <hello@site.example>',
      LLM_BASE_URL: 'http://127.0.0.1:1/v1',
    };
    const words = ['send', fileOf(server, 'From nobody.'), '--subject', 'From nobody', '--really'];
    const { code, output } = await runEntry('newsletter', server, words, site);
    expect([code, output]).toEqual([1, expect.stringContaining('still a placeholder')]);
    const stored = `select 1 from newsletter_issues where subject = 'From nobody'`;
    expect((await server.database.query(stored)).rows).toEqual([]);
  },
);

test('the exported list is a safe spreadsheet without people who unsubscribed', async () => {
  const [one, two] = [await subscribe(server), await subscribe(server)];
  await press(server, '/newsletter/unsubscribe', two.unsubscribeToken);
  const formula = `=cmd-${Math.random().toString(36).slice(2)}@example.com`;
  await server.database.query('update newsletter_subscribers set email = $2 where email = $1', [
    one.email,
    formula,
  ]);
  const { output } = await newsletter('export');
  const lines = output.split('\r\n');
  expect(lines[0]).toBe('address,confirmed,asked,page,wording,unsubscribe');
  const line = lines.find((each) => each.includes(formula)) ?? '';
  expect(line).toMatch(/^'=cmd-\S+,\d{4}-\d\d-\d\dT[\d:.]+Z,\d{4}-\d\d-\d\dT[\d:.]+Z,\/blog,2,http/);
  expect(line.endsWith(`/newsletter/unsubscribe?token=${one.unsubscribeToken}`)).toBe(true);
  expect(output).not.toContain(two.email);
  expect((await newsletter('count')).output).toMatch(/^\d+ (person|people) subscribed/);
});

test('a mail that the server defers is tried again, one that it rejects is not', async () => {
  const [email = ''] = await seedSubscribers(server, 1);
  const file = fileOf(server, 'One line.');
  await control(server, { mail: { mode: 'defer', to: email } });
  await newsletter('send', file, '--subject', 'Put off', '--really');
  await runJob(server, SEND);
  expect(await statesOf(server, 'Put off')).toMatchObject({ waiting: 1 });
  await control(server, { mail: { mode: 'ok', to: null } });
  const due = `update newsletter_deliveries set next_try_at = app_now() where state = 'waiting'`;
  expect((await server.database.query(due)).rowCount).toBe(1);
  await runJob(server, SEND);
  expect(await counts(server, [email], 'Put off')).toEqual([1]);

  await control(server, { mail: { mode: 'reject', to: email } });
  await newsletter('send', fileOf(server, 'Two lines.'), '--subject', 'Refused', '--really');
  await runJob(server, SEND);
  await control(server, { mail: { mode: 'ok', to: null } });
  expect(await statesOf(server, 'Refused')).toMatchObject({ failed: 1 });
  await server.database.query(due);
  await runJob(server, SEND);
  expect(await counts(server, [email], 'Refused')).toEqual([0]);
});

test.runIf(soak)('a process that is killed while sending mails nobody twice', async () => {
  const first = await startTestServer({ postgres: inject('postgres') });
  const emails = await seedSubscribers(first, 12);
  const file = fileOf(first, 'Before and after a crash.');
  await jobsRun(first);
  // The mail server never answers the sixth mail, so nobody knows whether it was accepted.
  const [unanswered = ''] = emails.slice(5);
  await control(first, { mail: { mode: 'hang', to: unanswered } });
  const sent = runEntry('newsletter', first, ['send', file, '--subject', 'Once', '--really']);
  expect((await sent).output).toContain('for 12 people');
  await first.database.query(`insert into jobs.job (name) values ($1)`, [SEND]);
  await eventually(async () => {
    const states = await statesOf(first, 'Once');
    return (states.taken ?? 0) === 1 && (states.sent ?? 0) >= 5;
  });
  await first.kill();
  const second = await startTestServer({
    postgres: inject('postgres'),
    databaseUrl: first.databaseUrl,
    dataDir: first.dataDir,
  });
  try {
    await eventually(() => runJob(second, SEND).then(() => true));
    await runEntry('newsletter', second, ['send', file, '--subject', 'Once', '--really']);
    await runJob(second, SEND);
    expect(await statesOf(second, 'Once')).toEqual({ sent: 11, taken: 1 });
    const mails = await counts(second, emails, 'Once');
    expect(mails).toEqual(emails.map((email) => (email === unanswered ? 0 : 1)));
    const { output } = await runEntry('newsletter', second, ['list']);
    expect(output).toContain('11 sent, 0 waiting, 1 unknown, 0 rejected  Once');
  } finally {
    await second.stop();
    await first.stop();
  }
});

test.runIf(soak)('an export whose reader stops early ends silently', async () => {
  await seedSubscribers(server, 3000);
  const entry = resolve(import.meta.dirname, '../../build/server/newsletter.js');
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.dataDir,
  };
  const words = 'exec 3>&1; { "$0" "$1" export 2>&3; echo "ended $?" >&3; } | head -n 1';
  const output = execFileSync('sh', ['-c', words, process.execPath, entry], { env, encoding: 'utf8' });
  expect(output).toBe('address,confirmed,asked,page,wording,unsubscribe\r\nended 0\n');
});
