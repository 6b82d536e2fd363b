/**
 * Loaded before the server with `NODE_OPTIONS=--import`. Appends a line to the file NET_RECORD for each connection that
 * the process opens, each name it looks up and each datagram it sends.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';

const file = process.env.NET_RECORD ?? '';
const record = (kind: string, target: unknown) => appendFileSync(file, `${kind} ${String(target)}\n`);

type Method = (this: unknown, ...args: unknown[]) => unknown;

function watch(owner: object, name: string, kind: string, targetOf: (args: unknown[]) => unknown): void {
  const methods = owner as Record<string, Method>;
  const original = methods[name];
  if (!original) throw new Error(`There is no ${name} to watch.`);
  methods[name] = function watched(...args) {
    record(kind, targetOf(args));
    return original.apply(this, args);
  };
}

/** net.connect passes its arguments on as one normalised array. */
function connectTarget(args: unknown[]): string {
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as [unknown, unknown];
  if (typeof first === 'object' && first !== null) {
    const { path, host = 'localhost', port } = first as { path?: string; host?: string; port?: number };
    return path ?? `${host}:${port}`;
  }
  return typeof first === 'string' ? first : `${typeof second === 'string' ? second : 'localhost'}:${first}`;
}

watch(net.Socket.prototype, 'connect', 'connect', connectTarget);
watch(dgram.Socket.prototype, 'send', 'datagram', (args) => args.at(-2));
for (const owner of [dns, dns.promises]) {
  const resolvers = Object.keys(owner).filter((name) => /^(lookup|resolve|reverse)/.test(name));
  for (const name of resolvers) watch(owner, name, 'lookup', ([host]) => host);
}
syncBuiltinESMExports();
record('started', process.pid);
