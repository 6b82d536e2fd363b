import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isLoopbackHost } from '#platform/config/config.server.ts';

/**
 * Reads the file of `net-record.ts`: all addresses with ports, names and local sockets, and the lines that leave the
 * machine.
 */
export function netTargets(file: string): { all: Set<string>; outside: string[] } {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const outside = lines.filter((line) => {
    const [kind = '', target = ''] = line.split(/ (.*)/);
    if (kind === 'started' || target.startsWith('/')) return false;
    const host = target.replace(/:\d+$/, '');
    return !isLoopbackHost(isIP(target) ? target : host);
  });
  return { all: new Set(lines.map((line) => line.replace(/^\w+ /, ''))), outside };
}
