import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { contactLimits, MAX_INPUT_LENGTH } from '#features/support/contact/contact-contract.ts';
import { setting } from '#shared/settings.ts';
import { type Export, exportSchema } from '../support/archive.ts';
import { audit } from '../support/consistency.ts';
import { contactForm, mailsOf, referenceOf, waitForMails } from '../support/contact.ts';
import { runErasure } from '../support/erasure.ts';
import { runJob } from '../support/files.ts';
import { client, createPerson } from '../support/people.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';
import { network, newAddress, visitor } from '../support/visitor.ts';
import { unzip } from '../support/zip.ts';

/** Waits until the jobs have started; before that, a mail waits up to a minute. */
const jobsOf = (each: TestServer) => eventually(() => runJob(each, 'send-contact-mails').then(() => true));

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  await jobsOf(server);
});
afterAll(() => server.stop());

/** Sends the form, from a new network each time unless `from` is given. */
const send = (fields: Record<string, string> = {}, options: { from?: string; cookie?: string } = {}) =>
  visitor(server).form('/contact', contactForm(fields), options);
const receipts = (reference: string, email: string) => mailsOf(server, email, reference);
const toSupport = (reference: string) => mailsOf(server, setting('contact.email'), reference);

async function stored(email: string) {
  const { rows } = await server.database.query<{ reference: string; name: string; message: string }>(
    'select reference, name, message from contact_messages where email = $1 order by created_at',
    [email],
  );
  return rows;
}

describe('a message', () => {
  test('is stored, mailed to support with the sender as reply address, and acknowledged without its text', async () => {
    const email = newAddress();
    const message = `Shalom שלום 👩‍👩‍👧‍👦\r\n.\r\nMAIL FROM:<x@evil.test>\r\n${'w'.repeat(900)}`;
    const reference = referenceOf(
      await send({ email: ` ${email.toUpperCase()} `, message, kind: 'billing' }),
    );
    expect(reference).toMatch(/^C-[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    const normalized = message.replaceAll('\r\n', '\n');
    expect(await stored(email)).toEqual([{ reference, name: 'Ada', message: normalized }]);
    expect(await waitForMails(server, reference)).toEqual({ support: 1, receipt: 1 });
    const [supportMail, ...more] = await toSupport(reference);
    expect(more).toEqual([]);
    expect(supportMail).toMatchObject({
      subject: `[${reference}] Payments and plans`,
      html: '',
      to: [setting('contact.email')],
    });
    expect(supportMail?.headers['reply-to']).toBe(email);
    expect(supportMail?.text.replaceAll('\r\n', '\n')).toContain(`\n\n${normalized}\n\n`);
    expect(supportMail?.text).toContain('not signed in: the address is not proven');
    const [receipt, ...others] = await receipts(reference, email);
    expect(others).toEqual([]);
    expect(receipt).toMatchObject({ to: [email] });
    expect(receipt?.headers).toMatchObject({
      'reply-to': setting('contact.email'),
      'auto-submitted': 'auto-replied',
    });
    for (const part of [receipt?.text, receipt?.html, receipt?.subject]) {
      expect(part).toContain(reference);
      expect(part).not.toMatch(/שלום|Ada|www/);
    }
    const page = await client(server).get(`/contact?received=${reference}`);
    const html = await page.text();
    expect([page.status, html.includes(reference), html.includes('noindex')]).toEqual([200, true, true]);
    expect(await (await client(server).get('/contact?received=%3Cb%3E')).text()).toContain(
      '<form class="contact-form',
    );
  });

  test('is one message however often the button is pressed, simultaneously or again', async () => {
    const email = newAddress();
    const from = network();
    const presses = await Promise.all(Array.from({ length: 6 }, () => send({ email }, { from })));
    const references = new Set(presses.map(referenceOf));
    expect(references.size).toBe(1);
    // Nor do they count towards the limit of five messages an hour from one address.
    for (let count = 0; count < 5; count++) references.add(referenceOf(await send({ email }, { from })));
    expect([...references]).toEqual((await stored(email)).map(({ reference }) => reference));
    const [reference = ''] = references;
    await waitForMails(server, reference);
    expect([(await toSupport(reference)).length, (await receipts(reference, email)).length]).toEqual([1, 1]);
    await server.database.query(
      `update contact_messages set created_at = created_at - interval '11 minutes' where reference = $1`,
      [reference],
    );
    expect(references.has(referenceOf(await send({ email }, { from })))).toBe(false);
    expect(await stored(email)).toHaveLength(2);
  });

  test('is acknowledged in the language of its form, in any batch', async () => {
    const messages = await Promise.all(
      ['de', 'ja'].map(async (language) => {
        const email = newAddress();
        const answer = await visitor(server).form(`/${language}/contact`, contactForm({ email }));
        const reference = referenceOf(answer);
        await waitForMails(server, reference);
        return { language, email, reference };
      }),
    );
    // Sends both mails again, in one batch of a job that has no language set.
    await server.database.query(
      `update contact_mails set sent_at = null, attempts = 0, next_try_at = app_now()
        where message_id in (select id from contact_messages where reference = any($1))`,
      [messages.map(({ reference }) => reference)],
    );
    await runJob(server, 'send-contact-mails');
    for (const { language, email, reference } of messages) {
      await waitForMails(server, reference);
      const mails = await receipts(reference, email);
      expect(mails.map(({ html }) => /<html lang="([^"]+)"/.exec(html)?.[1])).toEqual([language, language]);
    }
  });

  test.runIf(soak)('survives a crash between storing and mailing, and is then mailed once', async () => {
    const crashed = await startTestServer({
      postgres: inject('postgres'),
      standins: server.standins,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    const email = newAddress();
    const reference = referenceOf(await visitor(crashed).form('/contact', contactForm({ email })));
    expect(reference).not.toBe('');
    // Its mail server does not answer.
    await jobsOf(crashed);
    await eventually(async () => crashed.output().includes('could not be sent yet'));
    await crashed.kill();
    const next = await startTestServer({
      postgres: inject('postgres'),
      databaseUrl: crashed.databaseUrl,
      dataDir: crashed.dataDir,
    });
    await next.database.query('update contact_mails set next_try_at = app_now()');
    await jobsOf(next);
    await waitForMails(next, reference);
    await runJob(next, 'send-contact-mails');
    expect((await mailsOf(next, setting('contact.email'), reference)).length).toBe(1);
    expect((await mailsOf(next, email, reference)).length).toBe(1);
    await next.stop();
    await crashed.stop();
  });
});

describe('an invalid message', () => {
  test('is returned with everything typed, as text, with the error at its field', async () => {
    const typed = {
      email: 'a"><script>alert(1)</script>@x',
      name: `"><img src=x onerror=alert(1)>${'n'.repeat(80)}`,
      message: `</textarea><script>alert(2)</script>\u202e${'m'.repeat(contactLimits.message)}`,
      kind: 'privacy',
    };
    const response = await send(typed);
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    expect(html).toContain('a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;@x');
    expect(html).toContain(
      `&lt;/textarea&gt;&lt;script&gt;alert(2)&lt;/script&gt;\u202e${'m'.repeat(contactLimits.message)}`,
    );
    expect(html).toMatch(/<option value="privacy" selected=""/);
    for (const field of ['name', 'email', 'message']) {
      expect(html).toContain(`href="#contact-${field}"`);
      expect(html).toMatch(
        new RegExp(`id="contact-${field}"[^>]* aria-invalid="true" aria-describedby="contact-${field}-error`),
      );
    }
    expect(html.match(/autofocus=""/gi)).toHaveLength(1);
    expect(html).toContain('is 5,036 characters; the limit is 5,000');
  });

  test.each([
    ['no address', { email: ' ' }],
    ['two addresses', { email: 'v@x.test,a@evil.test' }],
    ['a header in the address', { email: 'v@x.test\r\nBcc: a@evil.test' }],
    ['a quoted address', { email: '"v@x.test"@evil.test' }],
    ['a full-width character', { email: 'v＠x.test' }],
    ['an invisible message', { message: ' \u200b\u202e\0\r\n' }],
    ['an unknown kind', { kind: 'constructor' }],
    ['no opening time', { opened: '' }],
    ['a future opening time', { opened: '9999999999999' }],
    ['sent within three seconds', { opened: String(Date.now() + 3_600_000) }],
  ])('is refused: %s', async (_, fields) => {
    const { rows } = await server.database.query('select count(*) from contact_messages');
    expect((await send(fields)).status).toBe(422);
    expect((await server.database.query('select count(*) from contact_messages')).rows).toEqual(rows);
  });

  test('is cleaned of headers and hidden characters, and limited in size', async () => {
    const email = newAddress();
    const name = 'Eve\r\nBcc: a@evil.test\u202e\0';
    const message = `${'😀'.repeat(contactLimits.message - 1)}\u0007\0x`;
    expect(message.length).toBeGreaterThan(MAX_INPUT_LENGTH);
    const reference = referenceOf(await send({ email, name, message }));
    expect(await stored(email)).toEqual([
      { reference, name: 'Eve Bcc: a@evil.test', message: `${'😀'.repeat(contactLimits.message - 1)}x` },
    ]);
    await waitForMails(server, reference);
    const [supportMail] = await toSupport(reference);
    expect([supportMail?.to, supportMail?.headers.bcc, supportMail?.headers['reply-to']]).toEqual([
      [setting('contact.email')],
      undefined,
      email,
    ]);
    const large = new URLSearchParams(contactForm({ email, message: 'x'.repeat(1_000_000) })).toString();
    const headers = {
      origin: server.url,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(large.length),
    };
    const tooLarge = await sendRaw(server.url, rawRequest(server.url, 'POST /contact', headers, large));
    expect(tooLarge.status).toBe(413);
    const foreign = await fetch(`${server.url}/contact`, {
      method: 'POST',
      headers: { origin: 'https://evil.test' },
      body: new URLSearchParams(contactForm({ email, message: 'from elsewhere' })),
    });
    expect(foreign.status).toBe(403);
    expect(await stored(email)).toHaveLength(1);
  });

  test('a bot that fills in every field gets the usual answer, and nothing is stored', async () => {
    const email = newAddress();
    const answer = await send({ email, homepage: 'https://spam.test' });
    expect(referenceOf(answer)).toMatch(/^C-/);
    expect(await stored(email)).toEqual([]);
    await eventually(async () => server.output().includes('hidden field filled in was dropped'));
    expect(server.output()).not.toContain(email);
  });
});

test('one network and one mailbox can send a limited number an hour; the form keeps what was typed', async () => {
  const from = network();
  const answers: number[] = [];
  for (let count = 0; count < 12; count++)
    answers.push((await send({ email: newAddress(), message: `number ${count}` }, { from })).status);
  expect(answers).toEqual([...Array(10).fill(303), 429, 429]);
  const email = newAddress();
  const [local = '', domain = ''] = email.split('@');
  for (let count = 0; count < 5; count++)
    expect((await send({ email: `${local}+${count}@${domain}` })).status).toBe(303);
  const sixth = await send({ email, message: 'the sixth, kept' });
  const html = await sixth.text();
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(3000);
  for (const part of [
    'the sixth, kept',
    `value="${email}"`,
    'Too many attempts.',
    `email ${setting('contact.email')}`,
  ])
    expect(html).toContain(part);
  // Refused messages do not count towards the site's limit.
  expect((await send({ email: newAddress() }, { from: network() })).status).toBe(303);
});

test('a customer with many IPv6 networks uses up their own share, not the site’s', async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 32; at++)
    statuses.push((await send({ email: newAddress() }, { from: `2001:db8:5:${at.toString(16)}::1` })).status);
  expect(statuses).toEqual([...Array(30).fill(303), 429, 429]);
  expect((await send({ email: newAddress() }, { from: '2001:db8:6::1' })).status).toBe(303);
});

test('a message that cannot be stored is returned as typed', async () => {
  const email = newAddress();
  await server.database.query('alter table contact_messages rename to away');
  const answer = await send({ email, message: 'not lost' });
  await server.database.query('alter table away rename to contact_messages');
  const html = await answer.text();
  expect([answer.status, html.includes('not lost'), html.includes(email)]).toEqual([500, true, true]);
  expect(html).not.toContain('contact_messages');
  expect(referenceOf(await send({ email, message: 'not lost' }))).not.toBe('');
});

describe('for a signed-in person', () => {
  test('the form contains their name and address, and is not cached', async () => {
    const person = await createPerson(server);
    const [ownPage, guest] = [
      await person.get('/contact?about=billing'),
      await client(server).get('/contact'),
    ];
    expect(ownPage.headers.get('cache-control')).toBe('private, no-store');
    expect(guest.headers.get('cache-control')).toBe('private, no-cache');
    const html = await ownPage.text();
    for (const part of [
      `value="${person.email}"`,
      'value="Test Person"',
      '<option value="billing" selected=""',
    ])
      expect(html).toContain(part);
    expect(await guest.text()).not.toContain(person.email);
  });

  test('messages are in the data export and are erased with the account; those sent by another person are not', async () => {
    const person = await createPerson(server);
    const own = referenceOf(await send({ email: person.email, message: 'mine' }, { cookie: person.cookie }));
    const other = referenceOf(await send({ email: person.email, message: 'of somebody else' }));
    const { cookie } = await createPerson(server);
    const third = referenceOf(await send({ email: person.email, message: 'sent signed in' }, { cookie }));
    await waitForMails(server, own);
    expect((await toSupport(own))[0]?.text).toContain(`signed in as that address (${person.id})`);
    const files = unzip(Buffer.from(await (await person.get('/api/me/export')).arrayBuffer()));
    const data = JSON.parse(files.get('export.json')?.toString() ?? '') as Export;
    expect(exportSchema.safeParse(data).error).toBeUndefined();
    expect(data.supportMessages).toMatchObject([{ reference: own, message: 'mine', doneAt: null }]);
    await server.database.query(
      `update users set deleted_at = app_now() - interval '31 days' where id = $1`,
      [person.id],
    );
    await runErasure(server);
    const remaining = await server.database.query(
      'select reference from contact_messages where reference = any($1)',
      [[own, other, third]],
    );
    expect(remaining.rows).toEqual([{ reference: third }]);
    expect(await audit(server)).toEqual([]);
  });
});

test.runIf(soak)(
  'the operator lists, shows, closes and exports messages; closed ones are deleted after 24 months',
  async () => {
    const contact = (...args: string[]) => runEntry('contact', server, args);
    const email = newAddress();
    const reference = referenceOf(
      await send({ email, name: '=cmd', message: `a "quoted", line\nand ${randomUUID()}` }),
    );
    await waitForMails(server, reference);
    const listed = (await contact()).output;
    expect(listed).toMatch(new RegExp(`^${reference}  .* ${email}  a "quoted", line and`, 'm'));
    const shown = await contact('show', reference.toLowerCase().replaceAll('-', ''));
    expect(shown.output).toContain(`From: =cmd, ${email}`);
    const csv = (await contact('export')).output;
    expect(
      csv.startsWith('reference,received,about,name,email,account,message,done,done_by,unsent_mails\r\n'),
    ).toBe(true);
    expect(csv).toContain(`${reference},`);
    expect(csv).toContain(`,'=cmd,${email},,"a ""quoted"", line\nand `);
    expect(await contact('done', reference)).toMatchObject({ code: 0 });
    const again = await contact('done', reference);
    expect([again.code, again.output.includes('was already marked done on')]).toEqual([1, true]);
    const setClosedSince = `update contact_messages set done_at = app_now() - $1::interval where reference = $2`;
    await server.database.query(setClosedSince, ['23 months', reference]);
    await runJob(server, 'purge-contact-messages');
    expect(await stored(email)).toHaveLength(1);
    await server.database.query(setClosedSince, ['24 months 1 hour', reference]);
    await runJob(server, 'purge-contact-messages');
    expect(await stored(email)).toEqual([]);
  },
);
