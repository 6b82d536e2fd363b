import { randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Sent, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { createPerson, type Person } from '../support/people.ts';
import { siteRoutes } from '../support/raw.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { sampled, soak } from '../support/soak.ts';

const COUNT = sampled(100, 20_000);
const SEED = soak ? randomInt(2 ** 31) : 20_261_121;

let server: TestServer;
let person: Person;
let sent: Sent;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  person = await createPerson(server, { plan: 'pro' });
  sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
});
afterAll(() => server.stop());

/** Generates path segments: existing ids, unknown ids, and invalid ids. */
function pieces() {
  const { reply, generation } = sent.body;
  const known = fc.constantFrom(sent.chatId, reply.id, generation.id, randomUUID(), 'new');
  const odd = fc.constantFrom(
    '-1',
    '0',
    'null',
    '..',
    '%00',
    '%E0%A4%A',
    '%2e%2e%2f',
    "'",
    '*',
    'a'.repeat(3_000),
  );
  return fc.array(fc.oneof(known, known, odd, fc.uuid(), fc.stringMatching(/^[!-~]{1,30}$/)), {
    minLength: 3,
    maxLength: 3,
  });
}

function bodies() {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const fields = fc.record(
    {
      text: fc.oneof(text, text, fc.anything()),
      title: fc.oneof(text, fc.anything()),
      id: fc.oneof(fc.uuid(), fc.string()),
      parentId: fc.oneof(fc.uuid(), fc.constant(sent.body.reply.id), fc.constant(null)),
      replaces: fc.oneof(fc.uuid(), fc.constant(sent.body.message.id)),
      messageId: fc.oneof(fc.uuid(), fc.constant(sent.body.reply.id), fc.constant(sent.body.message.id)),
      attachmentId: fc.uuid(),
      assistant: fc.oneof(fc.constantFrom('code', '__proto__'), text),
      create: fc.boolean(),
      email: fc.oneof(fc.emailAddress(), fc.string()),
      code: fc.oneof(fc.stringMatching(/^\d{6}$/), fc.string()),
      next: fc.oneof(fc.webUrl(), fc.webPath(), fc.string()),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(
    { weight: 4, arbitrary: fields.map((value) => Buffer.from(asJson(value))) },
    { weight: 1, arbitrary: fc.anything().map((value) => Buffer.from(asJson(value))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.webQueryParameters().map((text) => Buffer.from(text)) },
  );
}

function headerSets() {
  const odd = fc.oneof(
    fc.stringMatching(/^[ -~]{0,40}$/),
    fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const mostly = <T>(value: T, other: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });
  return fc.record(
    {
      accept: fc.constantFrom('text/html', 'application/json', 'text/event-stream', '*/*', ';;'),
      'content-type': mostly(
        'application/json',
        fc.constantFrom('application/x-www-form-urlencoded', 'text/plain', 'x'),
      ),
      cookie: mostly(person.cookie, odd),
      origin: mostly(server.url, odd),
      'idempotency-key': mostly(randomUUID(), odd),
      'last-event-id': fc.oneof(fc.constantFrom('1-0', '1-5', '9-999999999', '0-0', '-'), odd),
      'if-none-match': odd,
      'accept-encoding': odd,
      'x-forwarded-for': fc.oneof(fc.ipV4(), fc.ipV6(), odd),
      'user-agent': odd,
      range: odd,
    },
    { requiredKeys: ['cookie', 'origin', 'content-type'] },
  );
}

async function samples() {
  const { api, pages } = await siteRoutes();
  const shown = pages.flatMap((path) => [`GET ${path}`, `POST ${path}`]);
  const nowhere = ['GET /:a/:b', 'POST /api/:a', 'OPTIONS /api/:a/:b'];
  // These refuse nearly all random input, so they have a fixed share of requests that new routes do not reduce.
  const starting = api.filter((route) => /^POST .*\/(messages|regenerate|continue|stop)$/.test(route));
  const cursor = fc.tuple(fc.constantFrom('1', '2026-01-01', '2026-11-21T00:00:00Z', '0', 'x'), fc.uuid());
  const one = fc.record({
    route: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...api, ...shown, ...nowhere) },
      { weight: 2, arbitrary: fc.constantFrom(...starting) },
    ),
    pieces: pieces(),
    query: fc.webQueryParameters(),
    before: fc.option(cursor),
    named: fc.option(
      fc.tuple(
        fc.constantFrom('q', 'at', 'before', 'after', 'format'),
        fc.oneof(
          fc.constantFrom(sent.body.reply.id, 'md', 'json'),
          fc.string({ unit: 'binary', maxLength: 250 }),
        ),
      ),
    ),
    headers: headerSets(),
    body: bodies(),
  });
  return fc.sample(one, { numRuns: COUNT, seed: SEED });
}

test(`none of ${COUNT} random requests ends the process or reveals a fault of ours (seed ${SEED})`, async () => {
  const requests = await samples();
  const { pid } = server.process;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const [faults, statuses]: [string[], Map<number, number>] = [[], new Map()];
  let next = 0;
  const work = async () => {
    for (let one = requests[next++]; one; one = requests[next++]) {
      const [method = '', pattern = ''] = one.route.split(' ');
      const filled = pattern.replaceAll(/:\w+\??|\*/g, () => asPath(one.pieces.pop() ?? 'x'));
      const namedQuery = one.named
        ? `${one.named[0]}=${encodeURIComponent(one.named[1].toWellFormed())}&`
        : '';
      const before = one.before ? `before=${one.before.join('_')}&` : '';
      const path = `${filled}?${namedQuery}${before}${asPath(one.query)}`;
      // Keep the session and the chat; otherwise all later requests would come from a guest or find nothing.
      if (method === 'DELETE' && path.includes(sent.chatId)) continue;
      const cookie = one.route === 'POST /api/sign-out' ? 'session=other' : one.headers.cookie;
      const body = method === 'GET' ? Buffer.alloc(0) : one.body;
      const status = await ask(agent, method, path, { ...one.headers, cookie }, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500) faults.push(`${status} ${method} ${path}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  agent.destroy();
  expect(faults).toEqual([]);
  // Enough requests passed the first checks to make the test meaningful.
  for (const status of [200, 400, 401, 403, 404, 415, ...(soak ? [202, 204] : [])])
    expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(COUNT / 1_000);
  expect([server.process.pid, server.process.exitCode]).toEqual([pid, null]);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.output().match(/^.*(uncaught exception|unhandled rejection).*$/gm)).toBeNull();
  expect(server.output().match(/^.*"level":50.*$/gm)).toBeNull();
});

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '{';
  }
}

/** Escapes what Node's client does not accept in a path: spaces and characters above 0x7e. */
const asPath = (text: string) =>
  text.toWellFormed().replace(/[^!-~]|#/gu, (character) => encodeURIComponent(character));

/** Returns the status. The body of an event stream is not read, because it may not end. */
function ask(
  agent: Agent,
  method: string,
  path: string,
  headers: Record<string, string | undefined>,
  body: Buffer,
): Promise<number> {
  const definedHeaders = {
    ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    'content-length': String(body.length),
  };
  return new Promise((done, fail) => {
    const outgoing = request(server.url, { agent, method, path, headers: definedHeaders });
    outgoing.on('error', (error) => fail(new Error(`${method} ${path}: ${error.message}`)));
    outgoing.on('response', (response) => {
      if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
      else response.resume();
      response.on('error', () => undefined);
      response.on('close', () => done(response.statusCode ?? 0));
    });
    outgoing.end(body);
  });
}
