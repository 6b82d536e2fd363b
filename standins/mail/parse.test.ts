import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linksOf, parseMail } from './parse.ts';

const mail = (lines: string[]) => parseMail(Buffer.from(lines.join('\r\n')));

test('parses nested parts, and ignores text before and after the boundaries', async () => {
  const parsed = await mail([
    'Content-Type: multipart/mixed; boundary="out"',
    '',
    'no part',
    '--out',
    'Content-Type: multipart/alternative; boundary=in.1',
    '',
    '--in.1',
    '',
    'plain =3D',
    '--in.1',
    'Content-Type: text/html; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<b>caf=E9 so=',
    'ft</b>',
    '--in.1--',
    '--out',
    'Content-Type: text/plain; name=a.txt',
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
    '',
    'ZmlsZQ==',
    '--out--',
    'after',
  ]);
  expect(parsed.text).toBe('plain =3D');
  expect(parsed.html).toBe('<b>café soft</b>');
  expect(parsed.attachments).toEqual([{ name: 'a.txt', type: 'text/plain', size: 4 }]);
});

test('a repeated header contains both values', async () => {
  expect(await mail(['Bcc: a@b.test', 'Subject: one', ' two', 'bcc: c@d.test', '', 'x'])).toMatchObject({
    headers: { bcc: 'a@b.test\nc@d.test', subject: 'one two' },
    text: 'x',
  });
});

test('finds the links of both parts, each once, without the punctuation around them', () => {
  const html = `<a href='https://a.test/?x=1&amp;y=2'>x</a><a href="javascript:alert(1)">y</a>`;
  expect(linksOf({ html, text: '(see https://a.test/?x=1&y=2), https://b.test/c.' })).toEqual([
    'https://a.test/?x=1&y=2',
    'https://b.test/c',
  ]);
});

test('parses any bytes without an error', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...['\r\n', '\r\n\r\n', '--b', '--b--', '=?u?q?=', '=C3', ': '],
      'Content-Type: multipart/mixed; boundary=b',
    ),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const parsed = await parseMail(Buffer.from(pieces.join('')));
      expect(typeof parsed.text).toBe('string');
    }),
  );
});

test('shows parts that are nested too deeply as source text', async () => {
  const nested = Array.from(
    { length: 3000 },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
  ).join('');
  expect((await parseMail(Buffer.from(nested))).text).toContain('boundary=b2999');
});

test('parses many parts, and start tags of links without an end', async () => {
  const wide = ['Content-Type: multipart/mixed; boundary=b', '', ...Array(2000).fill('--b\r\n\r\nx')];
  expect((await mail(wide)).text).toMatch(/^x/);
  expect(linksOf({ html: '<a '.repeat(20_000), text: 'https://'.repeat(20_000) })).toHaveLength(1);
});
