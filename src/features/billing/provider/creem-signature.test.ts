import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isSignedByCreem } from './creem-signature.server.ts';

const secret = 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3JlIG9mIGEga2V5';
const body = Buffer.from('{"id":"evt_1","eventType":"subscription.paid"}');
const hex = (key: string, data: Uint8Array = body) => createHmac('sha256', key).update(data).digest('hex');
const valid = hex(secret);
const signed = (headers: HeadersInit, signingSecret: string | undefined = secret, now?: number) =>
  isSignedByCreem(body, new Headers(headers), signingSecret, now);

describe('the hex format', () => {
  test('matches the HMAC example of RFC 4231', () => {
    // Test case 2 of the RFC.
    const known = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const message = Buffer.from('what do ya want for nothing?');
    expect(isSignedByCreem(message, new Headers({ 'creem-signature': known }), 'Jefe')).toBe(true);
  });

  test.each([
    ['creem-signature', valid],
    ['x-creem-signature', valid],
    ['creem-signature', `sha256=${valid}`],
    ['creem-signature', valid.toUpperCase()],
  ])('%s: %s passes', (name, value) => expect(signed({ [name]: value })).toBe(true));

  test.each([
    [''],
    ['00'],
    [valid.slice(0, 63)],
    [`${valid}0`],
    [`${valid.slice(0, 63)}g`],
    [`sha256=${valid.slice(0, 62)}`],
    [`${valid}, ${valid}`],
    [`${valid.slice(0, 63)}${valid.endsWith('0') ? '1' : '0'}`],
    [hex(secret, Buffer.from('another body'))],
    [hex('')],
    [hex('another secret')],
  ])('%s does not pass', (value) => expect(signed({ 'creem-signature': value })).toBe(false));

  test('two headers do not pass, and neither does a missing one', () => {
    const two = new Headers();
    two.append('creem-signature', valid);
    two.append('creem-signature', valid);
    expect(isSignedByCreem(body, two, secret)).toBe(false);
    expect(signed({})).toBe(false);
  });

  test('without a secret nothing passes, not even a signature with an empty key', () => {
    for (const none of [undefined, ''])
      expect(isSignedByCreem(body, new Headers({ 'creem-signature': hex('') }), none)).toBe(false);
  });
});

describe('the format of Standard Webhooks', () => {
  const now = 1_800_000_000_000;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const sign = (signingKey: Buffer | string, id = 'msg_1', seconds = now / 1000) =>
    `v1,${createHmac('sha256', signingKey).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
  const headers = (signature: string, seconds: number | string = now / 1000, id = 'msg_1') => ({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature,
  });

  test('passes within five minutes, also as one of several signatures', () => {
    expect(signed(headers(sign(key)), secret, now)).toBe(true);
    expect(signed(headers(`v1a,xx ${sign('old')} ${sign(key)}`), secret, now)).toBe(true);
    expect(signed(headers(sign(key)), secret, now + 299_000)).toBe(true);
  });

  test.each([
    ['too old', headers(sign(key)), now + 301_000],
    ['from the future', headers(sign(key)), now - 301_000],
    ['for another ID', headers(sign(key), now / 1000, 'msg_2'), now],
    ['for another time', headers(sign(key), now / 1000 + 1), now],
    ['with another key', headers(sign('another key')), now],
    ['with another version', headers(sign(key).replace('v1', 'v2')), now],
    ['in two headers', headers(`${sign(key)}, ${sign(key)}`), now],
    ['without a time', headers(sign(key), ''), now],
    ['truncated', headers(sign(key).slice(0, -4)), now],
  ])('%s does not pass', (_, values, time) => expect(signed(values, secret, time)).toBe(false));

  test('a secret without a key signs nothing', () => {
    for (const weak of ['whsec_', 'whsec_!!', 'whsec_YQ==', 'plain secret without a prefix'])
      expect(signed(headers(sign('')), weak, now)).toBe(false);
  });
});
