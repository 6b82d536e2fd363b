import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface LoopbackServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
  readonly connections: Socket[];
  close(): Promise<void>;
}

export async function startLoopbackServer(handler?: RequestListener): Promise<LoopbackServer> {
  const requests: IncomingMessage[] = [];
  const connections: Socket[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    if (handler) handler(request, response);
    else response.end('canary');
  });
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${port}`, port, requests, connections, close };
}
