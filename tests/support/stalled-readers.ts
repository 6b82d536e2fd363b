import { readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

const ASSETS = resolve(import.meta.dirname, '../../build/client/assets');

/** Returns the largest file of the client build. */
function largestAsset(): { path: string; bytes: number } {
  const files = readdirSync(ASSETS).map((name) => ({
    path: `/assets/${name}`,
    bytes: statSync(join(ASSETS, name)).size,
  }));
  return files.reduce((best, file) => (file.bytes > best.bytes ? file : best));
}

/** Returns a value of /metrics: the sum of the series whose labels start with `labels`. */
export async function metric(server: TestServer, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.split('\n').filter((each) => each.startsWith(labels ? `${name}{${labels}` : `${name} `));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/**
 * Connections of one person that send requests and never read a byte, or, for comparison, read and discard everything.
 */
export class StalledReaders {
  readonly #server: TestServer;
  readonly #cookie: string;
  readonly #open = new Set<Socket>();

  constructor(server: TestServer, person: Person, count: number, { reading = false } = {}) {
    this.#server = server;
    this.#cookie = person.cookie;
    const { hostname, port } = new URL(server.url);
    for (let index = 0; index < count; index++) {
      const socket = connect({ host: hostname, port: Number(port) });
      if (reading) socket.resume();
      else socket.pause();
      socket.on('error', () => undefined);
      socket.on('close', () => this.#open.delete(socket));
      this.#open.add(socket);
    }
  }

  /** Number of connections that the server has not closed, as far as the client can know without reading. */
  get open(): number {
    return this.#open.size;
  }

  /** Requests a path on each connection, 100 at a time, and waits until the server has handled them. */
  async ask(path: string): Promise<void> {
    const answered = () => metric(this.#server, 'http_requests_total', 'status="2xx"');
    const head = `GET ${path} HTTP/1.1\r\nHost: ${new URL(this.#server.url).host}\r\nCookie: ${this.#cookie}\r\n\r\n`;
    const sockets = [...this.#open];
    while (sockets.length > 0) {
      const some = sockets.splice(0, 100);
      const before = await answered();
      for (const socket of some) socket.write(head);
      const waiting = () => some.filter((socket) => this.#open.has(socket)).length;
      await eventually(async () => (await answered()) >= before + waiting());
    }
  }

  /**
   * Fills most of the system's socket buffers (about 4 MB a connection on Linux) with files, so that the server must
   * soon buffer what follows. Not more: a request behind an unsent file is not started.
   */
  async fill(bytes = 4_000_000): Promise<void> {
    const asset = largestAsset();
    for (let sent = asset.bytes; sent <= bytes; sent += asset.bytes) await this.ask(asset.path);
  }

  end(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
