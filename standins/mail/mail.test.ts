import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import type { StoredMail } from './mailbox.ts';

let running: RunningStandIns;
beforeAll(async () => {
  running = await spawnStandIns();
});
beforeEach(() => fetch(`${running.base}/mail/messages`, { method: 'DELETE' }));
afterAll(() => running.remove());

function send(mail: SendMailOptions, port = running.smtpPort) {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false });
  return transport.sendMail({
    from: '"Zoë from the shop" <hello@shop.test>',
    to: 'ann@example.com',
    ...mail,
  });
}

async function mails(query = '', base = running.base): Promise<StoredMail[]> {
  return (await (await fetch(`${base}/mail/messages${query}`)).json()) as StoredMail[];
}

function control(body: unknown) {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${running.base}/control`, { method: 'POST', headers, body: JSON.stringify(body) });
}

const LONG = 'Grüße aus Zürich, 東京 und 🌊 '.repeat(6).trim();

describe('a mail', () => {
  test('is read back as written: both parts, subject, sender, links and headers', async () => {
    const link = 'https://shop.test/sign-in?token=a=b&code=123456';
    await send({
      subject: LONG,
      text: `Hällo\n\n${LONG}\nOpen ${link}.\n.\n--\nBye`,
      html: `<p>Hällo <a class="b" href="${link.replace('&', '&amp;')}">Sign in</a></p><p>${LONG}</p>`,
      replyTo: 'help@shop.test',
      list: { unsubscribe: { url: 'https://shop.test/u/1', comment: 'Leave' } },
    });
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: ['ann@example.com'], subject: LONG, envelopeFrom: 'hello@shop.test' });
    expect(mail!.text).toBe(`Hällo\n\n${LONG}\nOpen ${link}.\n.\n--\nBye\n`.trimEnd());
    expect(mail!.html).toContain(`<p>${LONG}</p>`);
    expect(mail!.links).toEqual([link]);
    expect(mail!.from).toBe('Zoë from the shop <hello@shop.test>');
    expect(mail!.headers['reply-to']).toBe('help@shop.test');
    expect(mail!.headers['list-unsubscribe']).toContain('https://shop.test/u/1');
  });

  test('with base64 text and an attachment', async () => {
    const attachments = [{ filename: 'Rechnung März.txt', content: 'ten' }];
    await send({ subject: 'x', text: LONG, textEncoding: 'base64', attachments });
    const [mail] = await mails();
    expect(mail!.text.trim()).toBe(LONG);
    expect(mail!.attachments).toEqual([{ name: 'Rechnung März.txt', type: 'text/plain', size: 3 }]);
  });

  test('is found by address and by time, newest first', async () => {
    await send({ subject: 'one', text: '1' });
    const since = Date.now() + 1;
    while (Date.now() < since) await fetch(`${running.base}/clock`);
    await send({ subject: 'two', text: '2', to: 'Bob@Example.com', bcc: 'eve@example.com' });
    expect((await mails()).map((mail) => mail.subject)).toEqual(['two', 'one']);
    expect((await mails('?to=bob@example.com')).map((mail) => mail.subject)).toEqual(['two']);
    expect((await mails('?to=eve@example.com'))[0]!.headers.bcc).toBeUndefined();
    expect(await mails('?to=example.com')).toEqual([]);
    expect((await mails(`?since=${since}`)).map((mail) => mail.subject)).toEqual(['two']);
    expect(await mails(`?since=${new Date(since).toISOString()}`)).toHaveLength(1);
    expect((await fetch(`${running.base}/mail/messages?since=soon`)).status).toBe(400);
  });

  test('over 5 MB is refused, and the next one is accepted', async () => {
    await expect(send({ subject: 'big', text: 'x'.repeat(6 << 20) })).rejects.toThrow(/5\d\d/);
    await send({ subject: 'small', text: 'x' });
    expect((await mails()).map((mail) => mail.subject)).toEqual(['small']);
  });

  test('survives a restart', async () => {
    const first = await spawnStandIns();
    await send({ subject: 'kept', text: 'x' }, first.smtpPort);
    first.process.kill('SIGKILL');
    await first.stop();
    const second = await spawnStandIns({ dir: first.dir });
    expect((await mails('', second.base)).map((mail) => mail.subject)).toEqual(['kept']);
    await second.remove();
  });
});

describe('faults', () => {
  test('reject and defer, for all or for one address', async () => {
    await control({ mail: { mode: 'reject' } });
    await expect(send({ text: 'x' })).rejects.toMatchObject({ responseCode: 550 });
    await control({ mail: { mode: 'defer', to: 'ann@example.com' } });
    await expect(send({ text: 'x' })).rejects.toMatchObject({ responseCode: 451 });
    await send({ to: 'bob@example.com', subject: 'passes', text: 'x' });
    await control({ reset: true });
    await send({ subject: 'again', text: 'x' });
    expect((await mails()).map((mail) => mail.subject)).toEqual(['again', 'passes']);
  });

  test('hang never answers', async () => {
    await control({ mail: { mode: 'hang' } });
    const transport = createTransport({ host: '127.0.0.1', port: running.smtpPort, socketTimeout: 300 });
    await expect(transport.sendMail({ from: 'a@b.test', to: 'c@d.test', text: 'x' })).rejects.toThrow(
      /timeout/i,
    );
    await control({ reset: true });
    expect(await mails()).toEqual([]);
  });
});

describe('the mailbox page', () => {
  test('shows hostile mail as text and in a frame without scripts', async () => {
    const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(2)>';
    await send({
      subject: hostile,
      text: `${hostile} https://shop.test/a?b=1&c=2)`,
      html: `${hostile}<a href="/x">y</a>`,
    });
    const list = await (await fetch(`${running.base}/mail`)).text();
    expect(list).not.toContain(hostile);
    expect(list).toContain('&lt;script&gt;');
    const [mail] = await mails();
    const answer = await fetch(`${running.base}/mail/${mail!.id}`);
    const page = await answer.text();
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('<img');
    expect(page).toMatch(/<iframe[^>]*sandbox="(?![^"]*(allow-scripts|allow-same-origin))/);
    expect(page).toContain('<a href="https://shop.test/a?b=1&amp;c=2" target="_top">');
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'none'/);
    expect((await fetch(`${running.base}/mail/none`)).status).toBe(404);
  });
});
