import { expect, test } from 'vitest';
import { inspectLink, type LinkWarning } from './link-inspection.ts';
import { safeLink } from './safe-link.ts';

const doubtsOf = (address: string, text: string | null = 'here') => inspectLink(address, text)?.warnings;

test.each<[string, LinkWarning[]]>([
  ['https://a.example/b?c=d#e', []],
  ['https://en.wikipedia.org/wiki/S%C3%A3o_Paulo', []],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s', []],
  ['mailto:me@a.example', []],
  ['mailto:me@a.example?subject=Hello', []],
  ['https://bank.example@evil.example/', ['user']],
  ['https://bank.example:x@evil.example/', ['user']],
  ['https://xn--80ak6aa92e.com/', ['letters']],
  ['https://\u0430\u0440\u0440\u04cf\u0435.com/', ['letters']],
  ['https://p\u0430ypal.com/', ['letters']],
  ['https://a.xn--e1awd7f.example/', ['letters']],
  ['mailto:me@a.example?bcc=x@evil.example', ['mail']],
  ['mailto:me@a.example?BODY=secret', ['mail']],
  ['mailto:me@a.example,you@evil.example', ['mail']],
  ['mailto:me@a.example?attach=/etc/passwd', ['mail']],
  [`mailto:me@a.example?subject=${'x'.repeat(100)}`, ['long']],
  [`https://evil.example/c?d=${'x'.repeat(100)}`, ['long']],
  [`https://evil.example/c#${'x'.repeat(100)}`, ['long']],
  [`https://evil.example/${'x'.repeat(101)}/c`, ['long']],
  [`https://evil.example/${`${'x'.repeat(90)}/`.repeat(4)}`, ['long']],
  [`https://a.example/${`${'x'.repeat(60)}/`.repeat(4)}`, []],
  [`https://${'x'.repeat(60)}.${'y'.repeat(60)}.evil.example/`, ['long']],
])('%s: %j', (address, doubts) => expect(doubtsOf(address)).toEqual(doubts));

test.each([
  ['https://a.example/', 'https://b.example/', true],
  ['https://evil.example/', 'www.bank.example', true],
  ['https://evil.example/login', 'bank.com', true],
  ['https://evil.example/', 'bank.com/login', true],
  ['https://www.bank.com/login', 'bank.com', false],
  ['https://docs.bank.com/', 'https://bank.com/', false],
  ['https://bank.com.evil.example/', 'bank.com', true],
  ['https://nodejs.example/', 'Node.js', false],
  ['https://a.example/', 'README.md', false],
  ['https://a.example/', 'the docs', false],
])('%s under the text %j names another site: %j', (address, text, asks) =>
  expect(doubtsOf(address, text)).toEqual(asks ? ['other'] : []),
);

test.each([
  ['https://a.example/b', true],
  ['a.example/b/', true],
  ['A.EXAMPLE/b', false],
  ['https://A.example/b', true],
  ['https://a.example/\u202eb', false],
  ['b', false],
])('the text %j shows the address: %j', (text, bare) =>
  expect(inspectLink('https://a.example/b', text)?.showsAddress).toBe(bare),
);

test('a text with letters of another script never counts as the address, even if both contain them', () =>
  expect(inspectLink('https://p\u0430ypal.com/', 'https://p\u0430ypal.com/')).toMatchObject({
    showsAddress: false,
    host: 'xn--pypal-4ve.com',
    warnings: ['letters'],
  }));

test.each([
  'http://127.0.0.1/',
  'http://localhost./',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://[::ffff:7f00:1]/',
  'http://169.254.169.254./',
  'http://metadata.google.internal/',
  'http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/',
  'http://127\u30020\u30020\u30021/',
  'http://example.com@127.0.0.1/',
  'http://foo.local/',
  'http://kubernetes.default.svc/',
  'http://redis:6379/',
])('warns that %s leads into a private network', (address) => expect(doubtsOf(address)).toContain('network'));

test('does not link anything but web and mail addresses', () => {
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example/',
    '//a.example/',
    '/pricing',
  ]) {
    expect(safeLink(address)).toBeNull();
    expect(inspectLink(address, 'x')).toBeNull();
  }
});
