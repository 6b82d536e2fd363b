import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { OutboundRefused } from './outbound-errors.ts';

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** IANA special-purpose address registry for IPv4 (RFC 6890 and updates). */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Exceptions in 2000::/3: protocol assignments with Teredo, documentation, 6to4 (which may contain a private IPv4). */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function listOf(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family);
  return list;
}

const specialV4 = listOf(SPECIAL_V4, 'ipv4');
const specialV6 = listOf(SPECIAL_V6, 'ipv6');
const globalV6 = listOf([['2000::', 3]], 'ipv6');
const loopbackV4 = listOf([['127.0.0.0', 8]], 'ipv4');

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialV4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

export function isLoopbackAddress(address: string): boolean {
  return isIP(address) === 4 ? loopbackV4.check(address, 'ipv4') : address === '::1';
}

/** Names that RFC 6761 reserves for this machine. */
export function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });

/**
 * Connects only to addresses that were checked, so that a name cannot change between check and use. Not called for IP
 * literals. Fails with OutboundRefused('address').
 */
export function guardedLookup(resolve: Resolve, permitted: (address: string) => boolean): LookupFunction {
  const running = new Map<string, ReturnType<Resolve>>();
  const lookUp = (hostname: string) => {
    const pending = running.get(hostname);
    if (pending) return pending;
    const lookup = resolve(hostname).finally(() => running.delete(hostname));
    running.set(hostname, lookup);
    return lookup;
  };
  return (hostname, options, callback) => {
    const allows = isLocalName(hostname) ? isLoopbackAddress : permitted;
    lookUp(hostname)
      .then((found) => {
        const first = found[0];
        const barred = found.find((entry) => !allows(entry.address));
        if (barred || !first) {
          throw new OutboundRefused(
            'address',
            `${hostname} resolves to ${barred?.address ?? 'nothing'}, which is barred`,
          );
        }
        return { found, first };
      })
      .then(
        ({ found, first }) => {
          if (options.all) callback(null, found);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ''),
      );
  };
}
