import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './address-checks.server.ts';

const BARRED = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
  ],
  ...[
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
  ],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
  ],
  ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00::1', 'ff02::1', '2002:7f00:1::', '2001::1'],
  ...['2001:db8::1', '3fff::1', '', 'localhost', '127.1', '2130706433', '1.1.1.1 ', '2606:4700::1111%eth0'],
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '191.255.0.1',
]
  .concat(['192.167.255.255', '198.17.0.1', '198.20.0.1', '223.255.255.255'])
  .concat(['2606:4700:4700::1111', '2a00:1450:4001:800::200e', '2001:4860:4860::8888']);

describe('isPublicAddress', () => {
  it.each(BARRED)('bars %j', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(PUBLIC)('allows %s', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('isLoopbackAddress', () => {
  it('accepts both families and nothing else', () => {
    expect(['127.0.0.1', '127.8.9.1', '::1'].every(isLoopbackAddress)).toBe(true);
    expect(['10.0.0.1', '::', '::2', '128.0.0.1', 'localhost', ''].some(isLoopbackAddress)).toBe(false);
  });
});
