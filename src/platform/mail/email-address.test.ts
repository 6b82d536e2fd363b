import { describe, expect, test } from 'vitest';
import { emailAddress } from './email-address.server.ts';

const refused = [
  'victim@x.com,attacker@evil.com',
  'victim@x.com;attacker@evil.com',
  'victim@x.com\r\nBcc: attacker@evil.com',
  'victim@x.com\n',
  '"attacker@evil.com x"@internal.domain',
  '"x" <attacker@evil.com>, victim@x.com',
  'g: a@evil.com, b@evil.com;',
  'victim@x.com(attacker@evil.com)',
  'victim＠x.com',
  'admin@gооgle.com',
  'a@b.com\r\nBcc: attacker@evil.com',
  'a@evil.com,b@evil.com',
  `${'g0:'.repeat(5000)}a@b.com`,
  'Eve <eve@x.com>',
  '"quoted"@x.com',
  `${'a'.repeat(65)}@x.com`,
  `${'a'.repeat(300)}@x.com`,
  `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.com`,
  'a@localhost',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@①②⑦.⓪.⓪.①',
  'a@ｅvil.com',
  'a@x。com',
  'a@x..com',
  'a@-x.com',
  'a@x-.com',
  'a@x.com.',
  'a@x.com/',
  'a@x.com:25',
  'a@x.com?b',
  'a@@x.com',
  '@x.com',
  'a@',
  'a',
  '',
  '.a@x.com',
  'a.@x.com',
  'a..b@x.com',
  'a b@x.com',
  'a\u0000@x.com',
  'ü@x.com',
  'a@x.1',
];

describe('emailAddress', () => {
  test.each(refused)('refuses %j', (text) => expect(emailAddress(text)).toBeNull());
  test.each([null, undefined, 5, ['a@x.com'], { address: 'a@x.com' }])('refuses %j', (value) =>
    expect(emailAddress(value)).toBeNull(),
  );

  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace+Site@Example.COM ', 'ada.lovelace+site@example.com'],
    ["o'neil@mail.example.co.uk", "o'neil@mail.example.co.uk"],
    ['a@xn--mller-kva.example', 'a@xn--mller-kva.example'],
    ['a@müller.example', 'a@xn--mller-kva.example'],
    ['a@MÜLLER.example', 'a@xn--mller-kva.example'],
    ['a@пример.рф', 'a@xn--e1afmkfd.xn--p1ai'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    [`${'a'.repeat(64)}@x.test`, `${'a'.repeat(64)}@x.test`],
  ])('accepts %j', (text, address) => expect(emailAddress(text)).toBe(address));
});
