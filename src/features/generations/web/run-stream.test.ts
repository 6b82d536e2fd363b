import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ConnectionError, ProblemError } from '#client/problem-error.ts';
import type { GenerationEvent } from '../contract.ts';
import { releaseKey, requestKey } from './idempotency-keys.ts';
import { openRun, subscribeToRun } from './run-stream.ts';
import { backoff, type Connection, evictionDelay } from './stream-connection.ts';

interface Exchange {
  request: http.IncomingMessage;
  response: http.ServerResponse;
  body: string;
}

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a real server that answers the n-th request with the n-th script; `connection` reaches it. */
async function serve(...scripts: ((exchange: Exchange) => void)[]) {
  const seen: { method: string; path: string; key: string; lastId: string; body: string }[] = [];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const header = (name: string) => String(request.headers[name] ?? '');
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      key: header('idempotency-key'),
      lastId: header('last-event-id'),
      body,
    });
    const script = scripts[seen.length - 1];
    if (script) script({ request, response, body });
    else response.destroy();
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const pauses: number[] = [];
  const turns: number[] = [];
  const connection: Connection = {
    fetch,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence: 2_000,
    async pause(attempt, signal) {
      signal.throwIfAborted();
      pauses.push(attempt);
    },
    async afterEviction(nth, signal) {
      signal.throwIfAborted();
      turns.push(nth);
    },
  };
  return { seen, pauses, turns, connection };
}

const sse = (name: string, data: unknown, id?: string) =>
  `event: ${name}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
const started = sse('started', { generation: { id: 'g1', state: 'queued' }, reply: { id: 'r1' } });
const endOf = (requestKey: string) =>
  sse('end', { id: 'g1', state: 'done', feature: 'chat', requestKey, creditsCharged: 1, credits: 9 });
const end = endOf('k1');
const stream =
  (...parts: string[]) =>
  ({ response }: Exchange) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end(parts.join(''));
  };
const cut =
  (...parts: string[]) =>
  ({ response }: Exchange) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(parts.join(''), () => response.destroy());
  };
const json =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}) =>
  ({ response }: Exchange) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const drop = ({ request }: Exchange) => void request.socket.destroy();

async function read(connection: Connection, follow = false, signal = new AbortController().signal) {
  let text = '';
  const names: string[] = [];
  const onEvent = (event: GenerationEvent) => {
    names.push(event.event);
    if (event.event === 'delta') text += event.data.text;
    if (event.event === 'reset') text = event.data.text;
  };
  const options = { onEvent, signal, connection };
  if (follow) await subscribeToRun('g1', options);
  else await openRun({ path: '/api/chats/c/messages', body: { text: 'hi' }, key: 'k1' }, options);
  return { text, names };
}

test('the starting request streams until the end', async () => {
  const { seen, connection } = await serve(
    stream(
      ': hello\n\n',
      started,
      sse('delta', { text: 'Hel' }, '1-3'),
      sse('delta', { text: 'lo' }, '1-5'),
      end,
    ),
  );
  expect(await read(connection)).toEqual({ text: 'Hello', names: ['started', 'reset', 'delta', 'end'] });
  expect(seen).toEqual([
    { method: 'POST', path: '/api/chats/c/messages', key: 'k1', lastId: '', body: '{"text":"hi"}' },
  ]);
});

test('an evicted stream waits its turn, resumes where it was and counts its evictions', async () => {
  const evicted = sse('evicted', {});
  const { seen, pauses, turns, connection } = await serve(
    stream(started, sse('delta', { text: 'Hel' }, '1-3'), evicted),
    stream(sse('delta', { text: 'lo ' }, '1-6'), evicted),
    stream(sse('delta', { text: 'you' }, '1-9'), end),
  );
  const { text, names } = await read(connection);
  expect([text, names]).toEqual(['Hello you', ['started', 'reset', 'delta', 'delta', 'end']]);
  expect(seen.map(({ lastId }) => lastId)).toEqual(['', '1-3', '1-6']);
  expect([pauses, turns]).toEqual([[], [0, 1]]);
});

test('the wait after an eviction grows, so that pages do not evict each other', () => {
  expect([0, 1, 4, 5, 60].map(evictionDelay)).toEqual([1_000, 2_000, 16_000, 30_000, 30_000]);
});

test('a cut stream resumes after the last event, and repeats are dropped', async () => {
  const { seen, connection } = await serve(
    cut(started, sse('delta', { text: 'Hel' }, '1-3')),
    cut(sse('delta', { text: 'Hel' }, '1-3'), sse('delta', { text: 'lo ' }, '1-6')),
    stream(sse('delta', { text: 'you' }, '1-9'), end),
  );
  expect((await read(connection)).text).toBe('Hello you');
  expect(seen.slice(1)).toMatchObject([
    { method: 'GET', path: '/api/generations/g1/events', lastId: '1-3' },
    { method: 'GET', path: '/api/generations/g1/events', lastId: '1-6' },
  ]);
});

test('thinking is reported in full, moves no position and restarts with each connection', async () => {
  const { seen, connection } = await serve(
    cut(
      started,
      sse('thinking', { text: 'Hm', from: 0, ms: 20 }),
      sse('thinking', { text: '.', from: 2, ms: 30 }),
    ),
    cut(sse('thinking', { text: 'Hm', from: 0, ms: 35 }), sse('delta', { text: 'a' }, '1-1')),
    stream(sse('thinking', { text: 'H', from: 0, ms: 12 }), sse('delta', { text: 'b' }, '1-2'), end),
  );
  const received: [string, number][] = [];
  let text = '';
  await openRun(
    { path: '/api/chats/c/messages', body: {}, key: 'k1' },
    {
      onThinking: (thinking) => void received.push([thinking.text, thinking.ms]),
      onEvent: (event) => {
        if (event.event === 'delta' || event.event === 'reset') text += event.data.text;
      },
      signal: new AbortController().signal,
      connection,
    },
  );
  expect(received).toEqual([
    ['Hm', 20],
    ['Hm.', 30],
    ['Hm', 35],
    ['H', 12],
  ]);
  expect(text).toBe('ab');
  expect(seen.map(({ lastId }) => lastId)).toEqual(['', '', '1-1']);
});

test('a gap or another epoch makes the reader ask for all text', async () => {
  const { seen, connection } = await serve(
    stream(started, sse('delta', { text: 'a' }, '1-1'), sse('delta', { text: 'c' }, '1-3')),
    stream(sse('reset', { text: 'abc' }, '1-3'), sse('delta', { text: 'x' }, '2-4')),
    stream(sse('reset', { text: 'new' }, '2-3'), sse('delta', { text: '!' }, '2-4'), end),
  );
  expect((await read(connection)).text).toBe('new!');
  expect(seen.map((request) => request.lastId)).toEqual(['', '', '']);
});

test('a lost answer repeats the request with the same key and body', async () => {
  const { seen, pauses, connection } = await serve(
    drop,
    cut(),
    json(503, { error: 'Restarting.', code: 'unavailable', requestId: 'q' }),
    stream(started, end),
  );
  expect((await read(connection)).names).toEqual(['started', 'end']);
  expect(new Set(seen.map((request) => `${request.key} ${request.body}`))).toEqual(
    new Set(['k1 {"text":"hi"}']),
  );
  expect(pauses).toEqual([0, 1, 2]);
});

test('gives up on a server that never answers after a limited number of attempts', async () => {
  const { seen, connection } = await serve();
  await expect(read(connection)).rejects.toBeInstanceOf(ConnectionError);
  expect(seen).toHaveLength(6);
});

test('a plain 202 is followed through the events', async () => {
  const { seen, connection } = await serve(
    json(202, { generation: { id: 'g1', state: 'running' }, reply: { id: 'r1' } }),
    stream(sse('delta', { text: 'whole' }, '1-5'), end),
  );
  expect(await read(connection)).toEqual({ text: 'whole', names: ['started', 'reset', 'end'] });
  expect(seen[1]?.path).toBe('/api/generations/g1/events');
});

test('a refusal is reported with its status, text and waiting time, and the request is not repeated', async () => {
  const problem = { error: 'You have started 3 conversations today.', code: 'daily_chats', requestId: 'q1' };
  const { seen, connection } = await serve(json(429, problem, { 'retry-after': '60' }));
  const refused = await read(connection).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ProblemError);
  expect(refused).toMatchObject({ status: 429, body: problem, retryAfter: 60 });
  expect(seen).toHaveLength(1);
});

test('an error page of a proxy becomes a neutral error', async () => {
  const { connection } = await serve(({ response }) => {
    response.writeHead(403, { 'content-type': 'text/html' });
    response.end('<h1>blocked</h1>');
  });
  await expect(read(connection)).rejects.toMatchObject({ status: 403, body: { code: 'internal' } });
});

test('following ends when the run no longer exists and retries while the server is failing', async () => {
  const { pauses, connection } = await serve(
    json(500, {}),
    json(429, { error: 'Slow down.', code: 'rate_limited', requestId: 'q' }),
    json(404, { error: 'Not found.', code: 'not_found', requestId: 'q' }),
  );
  await expect(read(connection, true)).rejects.toMatchObject({ status: 404 });
  expect(pauses).toEqual([0, 1]);
});

test('a silent connection counts as dead', async () => {
  const { seen, connection } = await serve(
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse('delta', { text: 'a' }, '1-1'));
    },
    stream(sse('delta', { text: 'b' }, '1-2'), end),
  );
  expect((await read({ ...connection, silence: 40 }, true)).text).toBe('ab');
  expect(seen[1]?.lastId).toBe('1-1');
});

test('unknown events are skipped, and text survives any split of its bytes', async () => {
  const text = 'naïve 👩‍🚀 \r\n\r\ndata: x\n\nevent: end';
  const bytes = Buffer.from(sse('ping', {}) + sse('reset', { text }, `1-${text.length}`) + end);
  const { connection } = await serve(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.socket?.setNoDelay(true);
    const send = (at: number) => {
      if (at >= bytes.length) return void response.end();
      response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
    };
    send(0);
  });
  expect(await read(connection, true)).toEqual({ text, names: ['reset', 'end'] });
});

test('aborting stops the reading', async () => {
  const stop = new AbortController();
  const { connection } = await serve(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(started, () => stop.abort());
  });
  await expect(read(connection, false, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

test('backoff grows from 250 ms to 5 s', () => {
  expect([0, 1, 2, 4, 5, 50].map((attempt) => backoff(attempt, 0))).toEqual([
    250, 500, 1000, 4000, 5000, 5000,
  ]);
  expect(backoff(0, 1)).toBeGreaterThan(180);
});

test('a request keeps its key until its outcome is known', async () => {
  const lost = Array.from({ length: 6 }, () => drop);
  const refused = json(402, { error: 'No credits.', code: 'credits_exhausted', requestId: 'r' });
  const { seen, connection } = await serve(...lost, refused, stream(started, end), stream(started, end));
  const press = (text: string) =>
    openRun(
      { path: '/api/write', body: { text } },
      { onEvent: () => undefined, signal: new AbortController().signal, connection },
    );
  await expect(press('tea')).rejects.toBeInstanceOf(ConnectionError);
  await expect(press('tea')).rejects.toBeInstanceOf(ProblemError);
  await press('tea');
  await press('tea');
  const keys = seen.map(({ key }) => key);
  expect(new Set(keys.slice(0, 8)).size).toBe(1);
  expect(keys[8]).not.toBe(keys[0]);
});

test('each path and body has its own key, and a stored key stays with its request', () => {
  const key = requestKey('/api/write', { text: 'milk' });
  expect(requestKey('/api/write', { text: 'milk' })).toBe(key);
  expect(requestKey('/api/write', { text: 'coffee' })).not.toBe(key);
  expect(requestKey('/api/scripts', { text: 'milk' })).not.toBe(key);
  requestKey('/api/chats', { text: 'milk' }, 'kept-key');
  expect(requestKey('/api/chats', { text: 'milk' })).toBe('kept-key');
  releaseKey('kept-key');
  expect(requestKey('/api/chats', { text: 'milk' })).not.toBe('kept-key');
  expect(requestKey('/api/write', { text: 'milk' })).toBe(key);
});

test('a pending key expires 15 minutes after it was last sent', () => {
  const minute = 60_000;
  const keyAt = (time: number) => requestKey('/api/write', { text: 'tea at five' }, undefined, time);
  const key = keyAt(0);
  expect([keyAt(14 * minute), keyAt(28 * minute)]).toEqual([key, key]);
  const later = keyAt(43 * minute);
  expect(later).not.toBe(key);
  expect(keyAt(44 * minute)).toBe(later);
});

test('a key is released once the run that it started is known to have ended', async () => {
  const lost = requestKey('/api/write', { text: 'lost' });
  const other = requestKey('/api/write', { text: 'other' });
  const { connection } = await serve(stream(endOf(lost)));
  await read(connection, true);
  expect(requestKey('/api/write', { text: 'lost' })).not.toBe(lost);
  expect(requestKey('/api/write', { text: 'other' })).toBe(other);
});
