import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

function attempt(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Listens on the port or, unless it is `fixed`, on the first free one of the next 50. @throws the listen error. */
export async function listen(
  server: Server,
  { port, host, fixed }: { port: number; host: string; fixed: boolean },
): Promise<number> {
  for (let candidate = port; ; candidate++) {
    try {
      return await attempt(server, candidate, host);
    } catch (error) {
      if (fixed || (error as { code?: string }).code !== 'EADDRINUSE' || candidate >= port + 50) throw error;
    }
  }
}
