import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { noDelay, type Sent, send, stream, waitForEnd } from '../support/chat.ts';
import { type Collector, resourceOf, type Span, startCollector } from '../support/collector.ts';
import { deliver, purchase, subscriptionEvent } from '../support/creem-events.ts';
import { mailTo } from '../support/mailbox.ts';
import { pdfWith } from '../support/pdf.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { sampleOf, soak } from '../support/soak.ts';
import { newAddress } from '../support/visitor.ts';

const MODEL = 'openai/gpt-4o-mini';
const PROXY = '127.0.0.2';
const HEADER_KEY = 'collector-key-4Tq';

let collector: Collector;
let server: TestServer;
let person: Person;
beforeAll(async () => {
  collector = await startCollector();
  server = await startTestServer({
    postgres: inject('postgres'),
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/base/`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${HEADER_KEY}%20a,x-site=one`,
      OTEL_SERVICE_NAME: 'tools',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      TRUSTED_PROXIES: PROXY,
    },
  });
  person = await createPerson(server, { plan: 'pro' });
});
afterAll(async () => {
  await server.stop();
  await collector.stop();
});

const traceOf = (response: Response) => response.headers.get('x-request-id') ?? '';

/** Sends a message and reads all of its events. @returns the id of its trace */
async function traced(writer: Person, text: string): Promise<string> {
  const response = await stream(writer, text);
  await response.text();
  return traceOf(response);
}

const heldPrompt = '[[mode:hold]] [[holdAfter:3]] [[tps:0]]';

/** Sends a message without reading its reply, which continues in the background. */
async function start(writer: Person, text: string): Promise<{ status: number; run: string; id: string }> {
  const path = `/api/chats/${randomUUID()}/messages`;
  const answer = await writer.send('POST', path, { text, create: true }, { 'idempotency-key': randomUUID() });
  const { generation } = (await answer.json()) as { generation?: { id: string } };
  return { status: answer.status, run: generation?.id ?? '', id: traceOf(answer) };
}

const hasAll =
  (...names: string[]) =>
  (spans: Span[]) =>
    names.every((name) => spans.some((span) => span.name === name));

const REPLY = ['POST /api/chats/:id/messages', 'admission', 'run chat', `chat ${MODEL}`];

function onlySpan(spans: Span[], name: string, parent?: Span): Span {
  const found = spans.filter(
    (span) => span.name === name && (!parent || span.parentSpanId === parent.spanId),
  );
  expect(found, `${name} in ${spans.map((span) => span.name).join(', ')}`).toHaveLength(1);
  return found[0] as Span;
}

describe('a chat message', () => {
  test('makes one trace: request, admission, run, gateway call and statements', async () => {
    const id = await traced(person, `Hello ${noDelay} [[tokens:30]]`);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const spans = await collector.trace(id, hasAll(...REPLY, 'run title'));
    const root = onlySpan(spans, 'POST /api/chats/:id/messages');
    expect([root.parentSpanId, root.kind, root.failed]).toEqual([undefined, 2, false]);
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/chats/:id/messages',
      'http.response.status_code': 200,
    });
    const admission = onlySpan(spans, 'admission', root);
    expect(admission.attributes).toEqual({ 'site.tool': 'chat', 'site.admission': 'admitted' });
    expect(onlySpan(spans, 'admit_generation', admission).attributes).toEqual({
      'db.system.name': 'postgresql',
    });
    const run = onlySpan(spans, 'run chat', root);
    expect(run.attributes).toEqual({
      'site.tool': 'chat',
      'gen_ai.request.model': MODEL,
      'site.run.state': 'done',
      'site.run.finish': 'stop',
      'site.run.characters': expect.any(Number),
    });
    const call = onlySpan(spans, `chat ${MODEL}`, run);
    expect(call.kind).toBe(3);
    expect(call.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': MODEL,
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'http.response.status_code': 200,
      'site.call.purpose': 'chat',
      'site.call.outcome': 'stop',
      'site.call.first_byte_seconds': expect.any(Number),
      'site.call.first_text_seconds': expect.any(Number),
    });
    onlySpan(spans, 'close_generation', run);
    // The title of a new chat belongs to the trace of its first message.
    expect(onlySpan(spans, 'run title').attributes).toMatchObject({ 'site.run.state': 'done' });
    expect(spans.filter(({ failed }) => failed)).toEqual([]);
  });

  test('is found by the id in its answer and in the lines of the log', async () => {
    const id = await traced(person, `[[mode:401]] ${noDelay}`);
    const lines = await eventually(async () => {
      const all = server
        .output()
        .split('\n')
        .filter((line) => line.includes(`"trace_id":"${id}"`));
      return all.some((line) => line.includes('the gateway failed')) && all;
    });
    const logged = lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect(logged.find(({ msg }) => msg === 'request')).toMatchObject({ requestId: id });
    const [call] = (await collector.trace(id, hasAll(...REPLY))).filter(
      ({ name }) => name === `chat ${MODEL}`,
    );
    const runLine = logged.find(({ msg }) => msg === 'the gateway failed');
    expect(runLine?.span_id).toBe(call?.parentSpanId);
  });
});

describe('a run', () => {
  const endOf = async (id: string) => onlySpan(await collector.trace(id, hasAll('run chat')), 'run chat');

  test('that fails ends its span, and that of its call, with the kind of error', async () => {
    const id = await traced(person, `[[mode:401]] ${noDelay}`);
    const spans = await collector.trace(id, hasAll(...REPLY));
    const run = onlySpan(spans, 'run chat');
    expect(run.failed).toBe(true);
    expect(run.attributes).toMatchObject({ 'site.run.state': 'failed', 'error.type': 'unauthorized' });
    const call = onlySpan(spans, `chat ${MODEL}`);
    expect(call.failed).toBe(true);
    expect(call.attributes).toMatchObject({
      'error.type': 'unauthorized',
      'http.response.status_code': 401,
    });
  });

  test('that is stopped ends its span without a failure', async () => {
    const { run, id } = await start(person, heldPrompt);
    expect((await person.send('POST', `/api/generations/${run}/stop`)).ok).toBe(true);
    const span = await endOf(id);
    expect([span.failed, span.attributes['site.run.state']]).toEqual([false, 'stopped']);
  });

  test('that is refused has an admission without a run and without a failure', async () => {
    const { status, id } = await start(await createPerson(server, { credits: 0 }), 'Hello');
    expect(status).toBe(402);
    const spans = await collector.trace(id, hasAll(REPLY[0] as string, 'admission'));
    expect(onlySpan(spans, 'admission').attributes).toMatchObject({ 'site.refusal': 'credits_exhausted' });
    expect(spans.filter(({ failed, name }) => failed || name === 'run chat')).toEqual([]);
  });
});

describe('the proxy', () => {
  const parent = { trace: 'af7651916cd43dd8448eb211c80319c1', span: 'b7ad6b7169203331' };

  async function askFrom(localAddress: string, traceparent: string): Promise<string> {
    const outgoing = request(`${server.url}/api/me`, { localAddress, headers: { traceparent } }).end();
    const [response] = await once(outgoing, 'response');
    response.resume();
    return String(response.headers['x-request-id']);
  }

  test('has its trace continued where it is trusted', async () => {
    const id = await askFrom(PROXY, `00-${parent.trace}-${parent.span}-01`);
    expect(id).toBe(parent.trace);
    const spans = await collector.trace(id, hasAll('GET /api/me'));
    expect(onlySpan(spans, 'GET /api/me').parentSpanId).toBe(parent.span);
  });

  test.each([
    ['another version', `ff-${parent.trace}-${parent.span}-01`],
    ['no id', `00-${'0'.repeat(32)}-${parent.span}-01`],
    ['more than an id', `00-${parent.trace}-${parent.span}-01-x`],
    ['something else', "'; drop table users"],
  ])('is ignored where it sends %s', async (_, traceparent) => {
    const id = await askFrom(PROXY, traceparent);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect([parent.trace, '0'.repeat(32)]).not.toContain(id);
  });

  test('is ignored where it is not trusted', async () => {
    expect(await askFrom('127.0.0.1', `00-${parent.trace}-${parent.span}-01`)).not.toBe(parent.trace);
  });
});

describe('background work', () => {
  test('a mail is part of the trace of its request, through its job', async () => {
    const email = newAddress();
    const answer = await person.send('POST', '/api/sign-in/email', { email });
    expect(answer.status).toBe(200);
    await mailTo(server, email);
    const spans = await collector.trace(traceOf(answer), hasAll('send mail', 'POST /api/sign-in/email'));
    const job = spans.find(({ name }) => name.startsWith('job '));
    expect([job?.kind, job?.failed, job?.attributes['site.job.attempt']]).toEqual([5, false, 1]);
    onlySpan(spans, 'send mail', job);
  });

  test('a billing event is part of the trace of its webhook', async () => {
    const purchased = await purchase(server, person);
    const event = subscriptionEvent('paid', purchased, { at: Date.now(), payment: 'tran_1' });
    const delivered = await deliver(server, event);
    const name = 'apply billing event';
    const spans = await collector.trace(traceOf(delivered), hasAll(name, 'POST /api/webhooks/creem'));
    const applied = onlySpan(spans, name, onlySpan(spans, 'POST /api/webhooks/creem'));
    expect(applied.attributes).toEqual({ 'site.billing.outcome': 'applied' });
    expect(spans.some((span) => span.name === 'transaction')).toBe(true);
  });
});

test('reading a document is traced with its page count, but without its text', async () => {
  const words = 'Quarterly figures of mine';
  const answer = await fetch(`${server.url}/api/documents?name=mine.pdf`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: server.url },
    body: new Uint8Array(await pdfWith([words, words])),
  });
  await answer.arrayBuffer();
  const spans = await collector.trace(traceOf(answer), hasAll('read document', 'POST /api/documents'));
  const read = onlySpan(spans, 'read document', onlySpan(spans, 'POST /api/documents'));
  expect([read.failed, read.attributes]).toEqual([false, { 'site.document.pages': 2 }]);
  for (const word of [words, 'mine.pdf']) expect(JSON.stringify(spans)).not.toContain(word);
});

test('pages are traced by their route, whatever the address contains; files and health checks are not traced', async () => {
  const word = 'a-word-of-mine';
  const pages: Array<[string, string]> = [
    [`/chat/${randomUUID()}?q=${word}`, 'GET /chat/:id?'],
    [`/de/pricing?q=${word}`, 'GET /pricing'],
    [`/${word}`, 'GET /*'],
    [`/blog/${word}`, 'GET /blog/:slug'],
    [`/api/${word}`, 'GET /api/*'],
    [`/%ff/${word}`, 'GET /*'],
  ];
  for (const [path, name] of pages) {
    const answer = await person.get(path);
    await answer.arrayBuffer();
    const spans = await collector.trace(traceOf(answer), (own) => own.some(({ kind }) => kind === 2));
    expect(spans.find(({ kind }) => kind === 2)?.name, path).toBe(name);
  }
  for (const path of ['/healthz', '/readyz', '/metrics', '/favicon.svg'])
    expect(traceOf(await fetch(server.url + path)), path).toMatch(/^[\w-]{12}$/);
});

test('the collector receives what the variables configure, and nothing about a person', async () => {
  const words = 'a secret of mine';
  const chat: Sent = await send(person, `${words} ${noDelay}`);
  await waitForEnd(person, chat.body.generation.id);
  await person.get(`/api/chats/search?q=${encodeURIComponent(words)}`);
  const id = await traced(person, `${words} ${noDelay}`);
  await collector.trace(id, hasAll(...REPLY));
  const sent = collector.batches.at(-1);
  expect(sent?.path).toBe('/base/v1/traces');
  expect(sent?.headers).toMatchObject({ 'x-key': `${HEADER_KEY} a`, 'x-site': 'one' });
  expect(resourceOf(sent?.body ?? Buffer.alloc(0))).toMatchObject({
    'service.name': 'tools',
    'deployment.environment.name': 'test',
  });
  const all = Buffer.concat(collector.batches.map(({ body }) => body)).toString();
  const session = person.cookie.split('=')[1] ?? '-';
  const { rows } = await server.database.query<{ id: string }>('select id::text from sessions');
  for (const word of [
    words,
    'a-word-of-mine',
    person.email,
    person.id,
    session,
    ...rows.map((row) => row.id),
    chat.chatId,
    chat.body.generation.id,
    HEADER_KEY,
    server.databaseUrl,
    'example.com',
    '127.0.0.',
    'Mozilla',
    'evt_',
  ])
    expect(all, word).not.toContain(word);
});

test('a reply that is interrupted at shutdown is traced before the process ends', async () => {
  const end = await startTestServer({
    postgres: inject('postgres'),
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      DRAIN_SECONDS: '0',
    },
  });
  try {
    const writer = await createPerson(end);
    const { id } = await start(writer, heldPrompt);
    expect(await end.end()).toBe(0);
    const own = collector.spans().filter(({ traceId }) => traceId === id);
    const run = onlySpan(own, 'run chat');
    expect(run.attributes).toMatchObject({ 'site.run.state': 'interrupted', 'error.type': 'interrupted' });
    expect(collector.batches.at(-1)?.path).toBe('/traces');
  } finally {
    await end.stop();
  }
});

test.runIf(soak)('a run of a killed process is traced by the process that closes it', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  const first = await startTestServer({ postgres: inject('postgres'), env, standins: server.standins });
  const second = await startTestServer({
    postgres: inject('postgres'),
    env,
    databaseUrl: first.databaseUrl,
    dataDir: first.dataDir,
    standins: server.standins,
  });
  try {
    const { run } = await start(await createPerson(first), heldPrompt);
    await first.kill();
    await eventually(async () => {
      const ended = 'select 1 from generations where id = $1 and finished_at is not null';
      return (await second.database.query(ended, [run])).rowCount;
    });
    const closed = await eventually(async () =>
      collector.spans().find(({ name }) => name === 'close abandoned run'),
    );
    expect([closed.parentSpanId, closed.failed, closed.attributes]).toEqual([
      undefined,
      false,
      { 'site.tool': 'chat', 'site.run.state': 'interrupted' },
    ]);
  } finally {
    await second.stop();
    await first.stop();
  }
});

describe('a collector', () => {
  const QUEUE = 100;
  const ASKED = 5 * QUEUE;
  const warning = 'traces cannot be sent';

  test.runIf(soak).each([
    ['does not answer', 'hangs'],
    ['refuses', 500],
    ['is unreachable', 'gone'],
  ] as const)(
    'that %s changes nothing: work ends, the queue is limited, the process ends',
    async (_, mode) => {
      const own = await startCollector();
      own.answers(mode === 'gone' ? 'takes' : mode);
      if (mode === 'gone') await own.stop();
      const site = await startTestServer({
        postgres: inject('postgres'),
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: own.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          // Longer than the process waits at shutdown.
          OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
          OTEL_BSP_SCHEDULE_DELAY: '50',
          OTEL_BSP_MAX_QUEUE_SIZE: String(QUEUE),
          DRAIN_SECONDS: '0',
        },
      });
      try {
        const writer = await createPerson(site);
        for (const _each of Array(ASKED / 20).keys())
          await Promise.all(Array.from({ length: 20 }, async () => (await writer.get('/api/me')).text()));
        const { run, status } = await start(writer, `Hello ${noDelay}`);
        expect(status).toBe(202);
        expect((await waitForEnd(writer, run)).state).toBe('done');
        if (mode === 'hangs') {
          own.answers('takes');
          // One batch was being sent and one was queued; all other spans were dropped.
          await eventually(async () => own.batches.length > 1);
          expect(own.spans().length).toBeLessThanOrEqual(ASKED / 2);
          own.answers('hangs');
          await (await writer.get('/api/me')).text();
        } else await eventually(async () => site.output().includes(warning));
        expect(await site.end()).toBe(0);
        // One warning in total, not one per batch.
        expect(site.output().split(warning).length).toBeLessThanOrEqual(2);
      } finally {
        await site.stop();
        if (mode !== 'gone') await own.stop();
      }
    },
  );

  test.runIf(soak)('that returns gets traces again, in protocol buffers by default', async () => {
    const own = await startCollector();
    own.answers(503);
    const site = await startTestServer({
      postgres: inject('postgres'),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: own.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
    });
    try {
      const ask = async () => (await fetch(`${site.url}/api/me`)).text();
      await ask();
      await eventually(async () => site.output().includes(warning));
      own.answers('takes');
      await ask();
      await eventually(async () => site.output().includes('traces are sent again'));
      const sent = own.batches.at(-1);
      expect(sent?.headers['content-type']).toBe('application/x-protobuf');
      expect(sent?.body.toString('latin1')).toContain('GET /api/me');
    } finally {
      await site.stop();
      await own.stop();
    }
  });

  test.each(
    sampleOf([
      ['none of the traces', { OTEL_TRACES_SAMPLER: 'always_off' }],
      ['nothing where it is switched off', { OTEL_SDK_DISABLED: 'true' }],
    ]),
  )('gets %s', async (_, env) => {
    const own = await startCollector();
    const site = await startTestServer({
      postgres: inject('postgres'),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: own.url, OTEL_BSP_SCHEDULE_DELAY: '50', ...env },
    });
    try {
      await (await fetch(`${site.url}/api/me`)).text();
      expect(await site.end()).toBe(0);
      expect(own.batches).toEqual([]);
    } finally {
      await site.stop();
      await own.stop();
    }
  });
});
