import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isLoopbackHost } from '#platform/config/config.server.ts';

/** What a process has reached for, by the file of `net-record.ts`: addresses with ports, names, sockets of this machine. */
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
