import { createServer, type NetConnectOpts, connect as open, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Cuts every connection, and each new one as soon as it opens. */
  cut(): void;
  /** Keeps every connection open but forwards nothing. */
  stall(): void;
  /** Forwards what arrived during the stall, and everything after it. */
  resume(): void;
  /** Cuts every connection and stops listening. */
  down(): Promise<void>;
  /** Listens and forwards again, on the same port. */
  up(): Promise<void>;
  /** Returns how many new connections were cut. */
  refused(): number;
}

/**
 * Starts a TCP proxy on loopback that forwards to a target and can be made to fail.
 * @param listener called for each connection; returns a function that receives the bytes sent to the target.
 */
export async function startProxy(
  target: NetConnectOpts,
  listener?: () => (bytes: Buffer) => void,
): Promise<TcpProxy> {
  let server: Server | undefined;
  let port = 0;
  let forwarding = true;
  let refused = 0;
  let stalled = false;
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  const join = ([near, far]: readonly [Socket, Socket]) => near.pipe(far).pipe(near);
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const forward = (near: Socket) => {
    if (!forwarding) {
      refused += 1;
      near.destroy();
      return;
    }
    const far = open(target);
    if (listener) near.on('data', listener());
    const pair = [near, far] as const;
    const end = () => {
      pairs.delete(pair);
      for (const socket of [near, far]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    pairs.add(pair);
    if (!stalled) join(pair);
  };
  const up = async () => {
    forwarding = true;
    if (server?.listening) return;
    const listening = createServer(forward);
    server = listening;
    await new Promise<void>((done, fail) => {
      listening.once('error', fail);
      listening.listen(port, '127.0.0.1', done);
    });
    port = (listening.address() as { port: number }).port;
  };
  await up();
  return {
    port,
    up,
    cut() {
      forwarding = false;
      endAll();
    },
    stall() {
      stalled = true;
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    resume() {
      stalled = false;
      for (const pair of pairs) join(pair);
    },
    async down() {
      const closed = new Promise((done) => server?.close(done));
      endAll();
      await closed;
    },
    refused: () => refused,
  };
}

/** Returns where the server of a PostgreSQL URL listens; the URL-encoded host may be the folder of a socket. */
export function databaseTarget(url: string): NetConnectOpts {
  const [, host = '', port = '5432'] = /@([^:/]*)(?::(\d+))?\//.exec(url) ?? [];
  const name = decodeURIComponent(host);
  return name.startsWith('/') ? { path: `${name}/.s.PGSQL.${port}` } : { host: name, port: Number(port) };
}

/** Returns the URL of the same database through a proxy. */
export function throughProxy(url: string, port: number): string {
  return url.replace(/@[^/]*\//, `@127.0.0.1:${port}/`);
}
