import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeWords, parseParameters } from './headers.ts';
import { linksOf, parseMail } from './mime.ts';

const mail = (lines: string[]) => parseMail(Buffer.from(lines.join('\r\n')));

test.each([
  ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an?= all', 'Grüße an all'],
  ['=?utf-8?B?4pyT?= =?utf-8?B?4pyT?=', '✓✓'],
  ['=?utf-8?B?8J+M?= =?utf-8?B?ig==?=', '🌊'],
  ['=?ISO-8859-1?Q?caf=E9?=', 'café'],
  ['=?nope?Q?a=20b?=', 'a b'],
  ['plain =?broken', 'plain =?broken'],
])('encoded words %s', (value, wanted) => {
  expect(decodeWords(value)).toBe(wanted);
});

test('parameters of RFC 2231, in parts and encoded', () => {
  const field = `attachment; filename*0*=utf-8''M%C3%A4; filename*1*=rz; filename*2=".txt"`;
  expect(parseParameters(field).parameters.get('filename')).toBe('März.txt');
  expect(parseParameters('text/PLAIN; x="a\\"b;c"').parameters.get('x')).toBe('a"b;c');
});

test('nested parts, text before and after the boundaries left out', () => {
  const parsed = mail([
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
    '',
    'file',
    '--out--',
    'after',
  ]);
  expect(parsed.text).toBe('plain =3D');
  expect(parsed.html).toBe('<b>café soft</b>');
  expect(parsed.attachments).toEqual([{ name: 'a.txt', type: 'text/plain', size: 4 }]);
});

test('a header that came twice shows both values', () => {
  expect(mail(['Bcc: a@b.test', 'Subject: one', ' two', 'bcc: c@d.test', '', 'x'])).toMatchObject({
    headers: { bcc: 'a@b.test\nc@d.test', subject: 'one two' },
    text: 'x',
  });
});

test('links of both parts, each once, without the punctuation around them', () => {
  const html = `<a href='https://a.test/?x=1&amp;y=2'>x</a><a href="javascript:alert(1)">y</a>`;
  expect(linksOf({ html, text: '(see https://a.test/?x=1&y=2), https://b.test/c.' })).toEqual([
    'https://a.test/?x=1&y=2',
    'https://b.test/c',
  ]);
});

test('any bytes are read without an error', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\r\n\r\n',
      '--b',
      '--b--',
      'Content-Type: multipart/mixed; boundary=b',
      '=?u?q?=',
      '=C3',
      ': ',
    ),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const parsed = parseMail(Buffer.from(pieces.join('')));
      expect(typeof parsed.text).toBe('string');
    }),
  );
});

test('a hostile mail is read in time', () => {
  const begin = performance.now();
  const deep = Array.from(
    { length: 3000 },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
  );
  parseMail(Buffer.from(deep.join('')));
  const wide = mail(['Content-Type: multipart/mixed; boundary=b', '', ...Array(20_000).fill('--b\r\n\r\nx')]);
  expect(wide.text).toBe('x');
  linksOf({ html: '<a '.repeat(20_000), text: 'https://'.repeat(20_000) });
  decodeWords('=?u?q?'.repeat(20_000));
  mail([
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `${' '.repeat(1_000_000)}x`,
    '<a '.repeat(1_000_000),
  ]);
  expect(performance.now() - begin).toBeLessThan(1500);
});
