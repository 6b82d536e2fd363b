import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSignedByCreem } from './creem-signature.server.ts';

const secret = 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3JlIG9mIGEga2V5';
const body = Buffer.from('{"id":"evt_1","eventType":"subscription.paid"}');
const hex = (key: string, of: Uint8Array = body) => createHmac('sha256', key).update(of).digest('hex');
const right = hex(secret);
const signed = (headers: HeadersInit, by: string | undefined = secret, now?: number) =>
  isSignedByCreem(body, new Headers(headers), by, now);

describe('the hex form', () => {
  test('is what the HMAC of RFC 4231 says', () => {
    // Test case 2 of the RFC.
    const known = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const message = Buffer.from('what do ya want for nothing?');
    expect(isSignedByCreem(message, new Headers({ 'creem-signature': known }), 'Jefe')).toBe(true);
  });

  test.each([
    ['creem-signature', right],
    ['x-creem-signature', right],
    ['creem-signature', `sha256=${right}`],
    ['creem-signature', right.toUpperCase()],
  ])('%s: %s passes', (name, value) => expect(signed({ [name]: value })).toBe(true));

  test.each([
    [''],
    ['00'],
    [right.slice(0, 63)],
    [`${right}0`],
    [`${right.slice(0, 63)}g`],
    [`sha256=${right.slice(0, 62)}`],
    [`${right}, ${right}`],
    [`${right.slice(0, 63)}${right.endsWith('0') ? '1' : '0'}`],
    [hex(secret, Buffer.from('another body'))],
    [hex('')],
    [hex('another secret')],
  ])('%s does not', (value) => expect(signed({ 'creem-signature': value })).toBe(false));

  test('two headers do not pass, and none does not', () => {
    const two = new Headers();
    two.append('creem-signature', right);
    two.append('creem-signature', right);
    expect(isSignedByCreem(body, two, secret)).toBe(false);
    expect(signed({})).toBe(false);
  });

  test('without a secret nothing passes, not even what is signed with nothing', () => {
    for (const none of [undefined, ''])
      expect(isSignedByCreem(body, new Headers({ 'creem-signature': hex('') }), none)).toBe(false);
  });
});

describe('the form of Standard Webhooks', () => {
  const now = 1_800_000_000_000;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const sign = (by: Buffer | string, id = 'msg_1', seconds = now / 1000) =>
    `v1,${createHmac('sha256', by).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
  const headers = (signature: string, seconds: number | string = now / 1000, id = 'msg_1') => ({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature,
  });

  test('passes within five minutes, also as one of several', () => {
    expect(signed(headers(sign(key)), secret, now)).toBe(true);
    expect(signed(headers(`v1a,xx ${sign('old')} ${sign(key)}`), secret, now)).toBe(true);
    expect(signed(headers(sign(key)), secret, now + 299_000)).toBe(true);
  });

  test.each([
    ['too old', headers(sign(key)), now + 301_000],
    ['of the future', headers(sign(key)), now - 301_000],
    ['of another id', headers(sign(key), now / 1000, 'msg_2'), now],
    ['of another time', headers(sign(key), now / 1000 + 1), now],
    ['of another key', headers(sign('another key')), now],
    ['of another version', headers(sign(key).replace('v1', 'v2')), now],
    ['in two headers', headers(`${sign(key)}, ${sign(key)}`), now],
    ['without a time', headers(sign(key), ''), now],
    ['cut', headers(sign(key).slice(0, -4)), now],
  ])('%s does not pass', (_, given, at) => expect(signed(given, secret, at)).toBe(false));

  test('a secret that holds no key signs nothing', () => {
    for (const weak of ['whsec_', 'whsec_!!', 'whsec_YQ==', 'plain secret without a prefix'])
      expect(signed(headers(sign('')), weak, now)).toBe(false);
  });
});
