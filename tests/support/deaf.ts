import { connect, type Socket } from 'node:net';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

/** Connections that ask for event streams and never read a byte. */
export class DeafReaders {
  readonly #server: TestServer;
  readonly #open = new Set<Socket>();
  readonly #request: string;

  /** `generationId`: one of `person`. */
  constructor(server: TestServer, person: Person, generationId: string, count: number) {
    this.#server = server;
    const { hostname, port, host } = new URL(server.url);
    this.#request = `GET /api/generations/${generationId}/events HTTP/1.1\r\nHost: ${host}\r\nCookie: ${person.cookie}\r\n\r\n`;
    for (let index = 0; index < count; index++) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.pause();
      socket.on('error', () => undefined);
      socket.on('close', () => this.#open.delete(socket));
      this.#open.add(socket);
    }
  }

  /** Connections that the server has not closed, as far as they can know without reading. */
  get open(): number {
    return this.#open.size;
  }

  /** Asks for one more stream on each, and waits until the server has dealt with them. */
  async ask(): Promise<void> {
    const answered = () => metric(this.#server, 'http_requests_total{status="2xx"}');
    const before = await answered();
    for (const socket of this.#open) socket.write(this.#request);
    await eventually(async () => (await answered()) >= before + this.#open.size);
  }

  end(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** One figure of /metrics. */
export async function metric(server: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
