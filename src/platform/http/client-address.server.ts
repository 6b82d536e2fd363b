import { BlockList, isIP } from 'node:net';

export type TrustedNetworks = BlockList;

function plainAddress(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .toLowerCase();
  if (isIP(address) === 0) return null;
  if (isIP(address) === 4) return address;
  const groups = ipv6Groups(address);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return address;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function ipv6Groups(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : address;
  const [left = '', right] = hex.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right ? right.split(':') : [];
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(zeros).fill('0'), ...tail].map((group) => Number.parseInt(group, 16));
}

export function parseTrustedNetworks(text: string): TrustedNetworks {
  const list = new BlockList();
  const invalid: string[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [base = '', prefix] = entry.split('/');
    const version = isIP(base);
    const bits =
      prefix === undefined ? (version === 4 ? 32 : 128) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (version === 0 || bits < 0 || bits > (version === 4 ? 32 : 128)) invalid.push(entry);
    else list.addSubnet(base, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  if (invalid.length > 0)
    throw new Error(`TRUSTED_PROXIES: not an address or network: ${invalid.join(', ')}`);
  return list;
}

function trusts(trusted: TrustedNetworks, address: string): boolean {
  return trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the peer of a connection is one of our trusted proxies. */
export function isTrusted(trusted: TrustedNetworks, socketAddress: string | undefined): boolean {
  const address = plainAddress(socketAddress ?? '');
  return address !== null && trusts(trusted, address);
}

/** Returns the rightmost untrusted address: what X-Forwarded-For has to its left may be forged by the client. */
export function clientAddress(
  socketAddress: string | undefined,
  xForwardedFor: string | undefined,
  trusted: TrustedNetworks,
): string {
  let current = plainAddress(socketAddress ?? '');
  if (current === null) return 'unknown';
  const hops = (xForwardedFor ?? '').split(',');
  while (hops.length > 0 && trusts(trusted, current)) {
    const hop = plainAddress(hops.pop() ?? '');
    if (hop === null) break;
    current = hop;
  }
  return current;
}

/** The whole IPv4 address, or the /64 of an IPv6 address, the size assigned to one line or host (RFC 6177). */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  if (plain === null) return 'unknown';
  if (isIP(plain) === 4) return plain;
  const network = ipv6Groups(plain).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The whole IPv4 address, or the /48 of an IPv6 address, the most that is assigned to one site (RFC 6177). */
export function customerKey(address: string): string {
  const short = shortAddress(address);
  return short.endsWith('/48') ? short : addressKey(address);
}

/** Shortened for storage with a consent: 24 bits of an IPv4 address, 48 bits of an IPv6 address. */
export function shortAddress(address: string): string {
  const plain = plainAddress(address);
  if (plain === null) return 'unknown';
  if (isIP(plain) === 4) return plain.replace(/\d+$/, '0/24');
  const network = ipv6Groups(plain).slice(0, 3);
  return `${network.map((group) => group.toString(16)).join(':')}::/48`;
}
