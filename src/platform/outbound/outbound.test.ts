import type { ServerResponse } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.fixture.ts';
import { createOutbound, type Outbound } from './outbound.server.ts';

const closeables: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of closeables.splice(0)) await one.close();
});

async function startPair(
  answer: (response: ServerResponse, path: string) => void,
): Promise<[Outbound, LoopbackServer]> {
  const server = await startLoopbackServer((request, response) => answer(response, request.url ?? ''));
  const gate = createOutbound({ origins: [server.origin] });
  closeables.push(gate, server);
  return [gate, server];
}

const socketClosed = (server: LoopbackServer, at = 0) =>
  vi.waitFor(() => expect(server.connections[at]?.destroyed).toBe(true));

it('sends method, headers and body, and reuses the connection', async () => {
  const server = await startLoopbackServer((request, response) => {
    const parts: string[] = [];
    request.setEncoding('utf8').on('data', (part: string) => parts.push(part));
    request.on('end', () =>
      response.end(`${request.method} ${request.url} ${request.headers['x-a']} ${parts.join('')}`),
    );
  });
  const gate = createOutbound({ origins: [server.origin] });
  closeables.push(gate, server);
  const init = { method: 'POST', headers: { 'X-A': 'b' }, body: 'é' } as const;
  for (const _ of [1, 2, 3]) {
    const response = await gate.request(`${server.origin}/a?b=c`, init);
    expect([response.status, await response.text()]).toEqual([200, 'POST /a?b=c b é']);
  }
  expect(server.requests[0]?.headers).toMatchObject({ 'content-length': '2', 'accept-encoding': 'identity' });
  expect(server.connections).toHaveLength(1);
});

it('returns error statuses to the caller', async () => {
  const [gate, server] = await startPair((response) =>
    response.writeHead(503, { 'retry-after': '7' }).end('busy'),
  );
  const response = await gate.request(server.origin);
  expect([response.status, response.headers['retry-after'], await response.text()]).toEqual([
    503,
    '7',
    'busy',
  ]);
});

it('stops waiting for the first byte, and closes the connection', async () => {
  const [gate, server] = await startPair(() => {});
  await expect(gate.request(server.origin, { firstByteMs: 30 })).rejects.toMatchObject({
    kind: 'first_byte_timeout',
  });
  await socketClosed(server);
});

it('ends a response that takes too long, after returning what has arrived', async () => {
  const [gate, server] = await startPair((response) => response.write('part'));
  const response = await gate.request(server.origin, { totalMs: 60 });
  const body = response.body[Symbol.asyncIterator]();
  expect(String((await body.next()).value)).toBe('part');
  await expect(body.next()).rejects.toMatchObject({ kind: 'total_timeout' });
  await socketClosed(server);
});

it('closes the socket immediately on abort, before the headers and in the body', async () => {
  const [gate, server] = await startPair((response, path) => path === '/body' && response.write('part'));
  const before = new AbortController();
  const waiting = gate.request(server.origin, { signal: before.signal });
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  before.abort();
  await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
  await socketClosed(server, 0);
  const during = new AbortController();
  const response = await gate.request(`${server.origin}/body`, { signal: during.signal });
  const body = response.body[Symbol.asyncIterator]();
  await body.next();
  const next = body.next();
  during.abort();
  await expect(next).rejects.toMatchObject({ kind: 'aborted' });
  await socketClosed(server, 1);
  await expect(gate.request(server.origin, { signal: during.signal })).rejects.toMatchObject({
    kind: 'aborted',
  });
  expect(server.requests).toHaveLength(2);
});

it('limits the response by the bytes read, whatever its length header says', async () => {
  const block = 'x'.repeat(64 * 1024);
  const [gate, server] = await startPair((response) => {
    const fill = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', fill);
    fill();
  });
  const response = await gate.request(server.origin, { maxBytes: 200_000 });
  await expect(response.text()).rejects.toMatchObject({ kind: 'too_large' });
  await socketClosed(server, 0);
  const other = await gate.request(server.origin);
  await expect(other.text(1_000)).rejects.toMatchObject({ kind: 'too_large' });
  await socketClosed(server, 1);
});

it('makes the sender wait for a slow reader and loses nothing', async () => {
  const block = Buffer.alloc(64 * 1024, 'x');
  const blocks = 1_024;
  let sent = 0;
  const [gate, server] = await startPair((response, path) => {
    if (path !== '/big') return void response.end('ok');
    const fill = () => {
      while (sent < blocks) {
        sent += 1;
        if (!response.write(block)) return;
      }
      response.end();
    };
    response.on('drain', fill);
    fill();
  });
  const response = await gate.request(`${server.origin}/big`, { maxBytes: 128 * 1024 * 1024 });
  const body = response.body[Symbol.asyncIterator]();
  let size = (await body.next()).value?.length ?? 0;
  for (let turn = 0; turn < 100; turn += 1) await (await gate.request(server.origin)).text();
  expect(sent).toBeLessThan(blocks / 2);
  for (let step = await body.next(); !step.done; step = await body.next()) size += step.value.length;
  expect(size).toBe(blocks * block.length);
});

it('distinguishes a broken connection, a refused one, an unknown name and a silent resolver', async () => {
  const [gate, server] = await startPair((response) =>
    response.write('part', () => response.socket?.resetAndDestroy()),
  );
  const broken = gate.request(server.origin).then((response) => response.text());
  await expect(broken).rejects.toMatchObject({ kind: 'reset' });
  await server.close();
  await expect(gate.request(server.origin)).rejects.toMatchObject({ kind: 'connect', code: 'ECONNREFUSED' });
  const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
  const options = { origins: ['http://name.test'] };
  const unresolved = createOutbound({ ...options, resolve: () => Promise.reject(unknown) });
  await expect(unresolved.request('http://name.test/')).rejects.toMatchObject({
    kind: 'dns',
    code: 'ENOTFOUND',
  });
  const silent = createOutbound({ ...options, resolve: () => new Promise(() => {}) });
  await expect(silent.request('http://name.test/', { connectMs: 20 })).rejects.toMatchObject({
    kind: 'connect',
  });
});

it('keeps a connection usable after release, and closes one that continues to send', async () => {
  const [gate, server] = await startPair((response, path) => {
    response.write('part');
    if (path === '/ends') return void response.end('rest');
    const fill = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', fill);
    fill();
  });
  const first = await gate.request(`${server.origin}/ends`);
  const body = first.body[Symbol.asyncIterator]();
  await body.next();
  first.release();
  // Read to the end, because only then the connection is free.
  while (!(await body.next()).done);
  const second = await gate.request(`${server.origin}/endless`);
  expect(server.connections).toHaveLength(1);
  second.release();
  await socketClosed(server);
});

it('sends nothing if a header is invalid', async () => {
  const [gate, server] = await startPair((response) => response.end());
  await expect(gate.request(server.origin, { headers: { a: 'b\r\nc: d' } })).rejects.toBeInstanceOf(
    TypeError,
  );
  expect(server.requests).toHaveLength(0);
});
