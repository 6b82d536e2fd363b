import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operatorEnv } from './admin.ts';
import { type StartedServer, startTestServer, type TestServer } from './server.ts';

/** Environment of all shared servers. */
const SHARED_ENV = { ...operatorEnv, TRUSTED_PROXIES: '127.0.0.1,::1' };

export interface ServerPool {
  /** URL that `borrowServer` calls. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Lends running servers to test files, each to one file at a time. A new server starts only when none is free. The pool
 * lives in the main process of the run, because a worker ends with its file.
 */
export async function startServerPool(postgres: string): Promise<ServerPool> {
  const started: TestServer[] = [];
  const free: TestServer[] = [];
  const lend = async () => {
    const server = free.pop() ?? (await startTestServer({ postgres, env: SHARED_ENV }));
    if (!started.includes(server)) started.push(server);
    const { url, standins, databaseUrl, dataDir, logFile, process: child } = server;
    return { url, standins, databaseUrl, dataDir, logFile, pid: child.pid ?? 0 } satisfies StartedServer;
  };
  const poolServer = createServer((request, response) => {
    const returnedUrl = new URL(request.url ?? '/', 'http://desk').searchParams.get('back');
    if (returnedUrl !== null) {
      free.push(
        ...started.filter(({ url, process: child }) => url === returnedUrl && child.exitCode === null),
      );
      response.end();
      return;
    }
    lend().then(
      (server) => response.end(JSON.stringify(server)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  poolServer.listen(0, '127.0.0.1');
  await once(poolServer, 'listening');
  return {
    url: `http://127.0.0.1:${(poolServer.address() as AddressInfo).port}`,
    async stop() {
      poolServer.close();
      await Promise.all(started.map((server) => server.stop()));
    },
  };
}
