import { describe, expect, test } from 'vitest';
import {
  addressKey,
  clientAddress,
  customerKey,
  parseTrustedNetworks,
  shortAddress,
} from './client-address.server.ts';

const noProxies = parseTrustedNetworks('');
const proxies = parseTrustedNetworks('127.0.0.1, 10.0.0.0/8, 2001:db8:ff::/48');

describe('clientAddress', () => {
  test('ignores X-Forwarded-For from a socket that is not trusted', () => {
    expect(clientAddress('203.0.113.9', '1.2.3.4', proxies)).toBe('203.0.113.9');
    expect(clientAddress('127.0.0.1', '1.2.3.4', noProxies)).toBe('127.0.0.1');
  });

  test.each([
    ['127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '6.6.6.6, 198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '6.6.6.6, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['127.0.0.1', '10.9.9.9, 10.1.2.3', '10.9.9.9'],
    ['::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['2001:db8:ff::1', '[2001:db8:1::5]:4711', '2001:db8:1::5'],
    ['127.0.0.1', '198.51.100.7:55123', '198.51.100.7'],
    ['127.0.0.1', '198.51.100.7, nonsense', '127.0.0.1'],
    ['127.0.0.1', '198.51.100.7, nonsense, 10.1.2.3', '10.1.2.3'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    [undefined, '198.51.100.7', 'unknown'],
  ])('from socket %s with %j is %s', (socket, header, expected) => {
    expect(clientAddress(socket, header, proxies)).toBe(expected);
  });

  test('handles a long header quickly', () => {
    const header = Array.from({ length: 5_000 }, () => '10.1.1.1').join(',');
    expect(clientAddress('127.0.0.1', `198.51.100.7,${header}`, proxies)).toBe('198.51.100.7');
  });
});

describe('addressKey', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['nonsense', 'unknown'],
  ])('%s is %s', (address, key) => expect(addressKey(address)).toBe(key));
});

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['nonsense', 'unknown'],
])('stores %s with a consent as %s', (address, stored) => expect(shortAddress(address)).toBe(stored));

test.each([
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['nonsense', 'unknown'],
])('a customer at %s counts as %s', (address, key) => expect(customerKey(address)).toBe(key));

describe('parseTrustedNetworks', () => {
  test('names every entry that is not an address or network', () => {
    expect(() => parseTrustedNetworks('10.0.0.0/8, proxy, 10.0.0.0/33, ::/129, 1.2.3.4/x')).toThrow(
      'TRUSTED_PROXIES: not an address or network: proxy, 10.0.0.0/33, ::/129, 1.2.3.4/x',
    );
  });
});
