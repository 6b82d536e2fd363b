import { execFile } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { AUTH_SECRET } from './server.ts';

export interface RawAnswer {
  /** 0 when the connection was cut without a response. */
  status: number;
  head: string;
  body: string;
}

/**
 * Sends bytes unchanged over a new connection and reads until the server closes it, so the request should contain
 * `Connection: close`.
 */
export function sendRaw(url: string, bytes: string | Buffer, ms = 10_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    const finish = () => {
      clearTimeout(timer);
      const [head = '', ...rest] = Buffer.concat(parts).toString('latin1').split('\r\n\r\n');
      done({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') });
    };
    const timer = setTimeout(() => {
      socket.destroy();
      fail(
        new Error(`No end of the answer after ${ms} ms: ${Buffer.concat(parts).toString().slice(0, 200)}`),
      );
    }, ms);
    socket.on('data', (part) => parts.push(part));
    // A server that refuses an upload closes the connection before everything is written.
    socket.on('error', () => undefined);
    socket.on('close', finish);
    socket.write(bytes);
  });
}

/** Returns the bytes of an HTTP/1.1 request with `Connection: close`. */
export function rawRequest(
  url: string,
  line: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Buffer {
  const all = { host: new URL(url).host, connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([
    Buffer.from(`${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

/** Returns a loopback port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

export interface SiteRoutes {
  /** `METHOD /path/:param` of the API and operations. */
  api: string[];
  /** Path patterns of pages. */
  pages: string[];
  /** `METHOD /path/:param` of /admin. */
  admin: string[];
}

/** Returns every route of the built site, as its `routes` command prints them. */
export async function siteRoutes(): Promise<SiteRoutes> {
  const entry = resolve(import.meta.dirname, '../../build/server/routes.js');
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', AUTH_SECRET, LOG_LEVEL: 'silent' };
  const { stdout } = await promisify(execFile)(process.execPath, [entry], { env });
  return JSON.parse(stdout) as SiteRoutes;
}
