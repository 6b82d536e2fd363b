import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolveConfig, setConfig } from '../config/config.server.ts';
import { readEnvironment } from '../config/read-environment.server.ts';
import { closeMail, sendMail, verifyMail } from './send-mail.server.ts';

let received: string[] = [];
let refuse = false;
let server: SMTPServer;

beforeEach(async () => {
  received = [];
  refuse = false;
  server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    onRcptTo: ({ address }, _session, callback) =>
      refuse ? callback(Object.assign(new Error(`no ${address} here`), { responseCode: 550 })) : callback(),
    onData(stream, _session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push(Buffer.concat(parts).toString());
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  setConfig(
    resolveConfig(
      readEnvironment({
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        AUTH_SECRET: 'tests-only-0123456789abcdefghijklmnopq',
      }),
    ),
  );
});
afterEach(async () => {
  closeMail();
  await new Promise<void>((resolve) => server.close(resolve));
});

const content = { subject: 'Hi', text: 'plain words', html: '<p>rich words</p>' };

describe('sendMail', () => {
  test('sends text and HTML, marked as automatic', async () => {
    await sendMail({ to: { address: 'ada@example.com' }, ...content });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatch(/^To: ada@example\.com\r$/m);
    expect(received[0]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(received[0]).toContain('plain words');
    expect(received[0]).toContain('<p>rich words</p>');
  });

  test('a line break in the subject adds no header', async () => {
    await sendMail({ to: { address: 'ada@example.com' }, ...content, subject: 'Hi\r\nBcc: eve@evil.test' });
    expect(received[0]).not.toMatch(/^Bcc:/im);
  });

  test.each([
    'a@evil.com,b@evil.com',
    'Ada <ada@example.com>',
    'ADA@example.com',
    'a@b.com\r\nBcc: c@evil.com',
  ])('sends nothing to %j', async (address) => {
    await expect(sendMail({ to: { address }, ...content })).rejects.toMatchObject({ code: 'EENVELOPE' });
    expect(received).toHaveLength(0);
  });

  test('accepts one plain reply address, and sends no HTML part for a mail that has only text', async () => {
    const plain = { to: { address: 'help@example.com' }, subject: 'Hi', text: 'plain\n.\nwords' };
    await sendMail({ ...plain, replyTo: { address: 'ada@example.com' } });
    expect(received[0]).toMatch(/^Reply-To: ada@example\.com\r$/m);
    expect(received[0]).not.toMatch(/text\/html|multipart/);
    for (const address of ['a@evil.com,b@evil.com', 'a@b.com\r\nBcc: c@evil.com'])
      await expect(sendMail({ ...plain, replyTo: { address } })).rejects.toMatchObject({ code: 'EENVELOPE' });
    expect(received).toHaveLength(1);
  });

  test('reports a rejection without the address', async () => {
    refuse = true;
    const error = await sendMail({ to: { address: 'ada@example.com' }, ...content }).catch(
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ name: 'MailError', status: 550 });
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain('ada@');
  });

  test('verifyMail reports the response of the server', async () => {
    await verifyMail();
    closeMail();
    await new Promise<void>((resolve) => server.close(resolve));
    await expect(verifyMail()).rejects.toMatchObject({ name: 'MailError', code: 'ESOCKET' });
  });
});
