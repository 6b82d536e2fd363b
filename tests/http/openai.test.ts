import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createKey, keysPath, listKeys, openaiClient, refusalOf } from '../support/api-keys.ts';
import { gatewayLog, noDelay, uniqueWord } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { runJob } from '../support/files.ts';
import { raw } from '../support/gateway.ts';
import { createPerson, type Person } from '../support/people.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
let model: string;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  const { secret } = await createKey(await createPerson(server), { scopes: ['chat'] });
  const { data } = await openaiClient(server, secret).models.list();
  model = data[0]?.id ?? '';
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const user = (content: string) => [{ role: 'user' as const, content }];

async function createCaller(options: { credits?: number; plan?: 'free' | 'pro' } = {}, keyOptions = {}) {
  const person = await createPerson(server, options);
  const { key, secret } = await createKey(person, keyOptions);
  return { person, key, secret, openai: openaiClient(server, secret) };
}

interface Run {
  id: string;
  state: string;
  credits_charged: number;
  text: string;
  released: boolean;
  input: object;
}

/** Waits until all runs have ended; returns them, newest last. */
function runsOf(person: Person): Promise<Run[]> {
  return eventually(async () => {
    const { rows } = await server.database.query<Run & { finished_at: Date | null }>(
      `select id, state, credits_charged, text, released, input, finished_at from generations
        where user_id = $1 and feature = 'completion' order by created_at`,
      [person.id],
    );
    return rows.every(({ finished_at }) => finished_at) && rows;
  });
}

/** Sends a request; returns its status, headers and body. */
async function post(secret: string, body: string | Buffer | object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body:
      typeof body === 'string' || body instanceof Buffer
        ? new Uint8Array(Buffer.from(body))
        : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('OpenAI’s own client', () => {
  test('gets a full answer, which costs as much as a chat message and is in no list', async () => {
    const { person, key, openai } = await createCaller();
    const word = uniqueWord();
    const answer = await openai.chat.completions.create({
      model,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: `Say ${word}` },
            { type: 'text', text: raw('Hello 👋') },
          ],
        },
      ],
      temperature: 0.2,
      top_p: 0.9,
      user: 'somebody',
      store: true,
      n: 1,
      tools: [],
      response_format: { type: 'text' },
    });
    expect(answer).toMatchObject({ object: 'chat.completion', model });
    expect(answer.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello 👋', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ]);
    const [call] = await gatewayLog(server, word);
    expect(call?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = answer.usage ?? {};
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(await person.credits()).toBe(9);
    expect(await (await person.get('/api/chats')).json()).toMatchObject({ chats: [] });
    expect(await listKeys(person)).toMatchObject([
      { id: key.id, usedAt: expect.any(String), month: { runs: 1, credits: 1 } },
    ]);
  });

  test('streams, with usage on request', async () => {
    const { openai, person } = await createCaller();
    const stream = await openai.chat.completions.create({
      model,
      messages: user(`Tell me ${uniqueWord()} [[tps:200]] [[first:0]] [[tokens:60]]`),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await all(stream);
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text.length).toBeGreaterThan(100);
    expect(chunks.length).toBeGreaterThan(5);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(await person.credits()).toBe(9);
    const plain = await all(
      await openai.chat.completions.create({ model, messages: user(`Hi ${noDelay}`), stream: true }),
    );
    expect(plain.every((chunk) => !('usage' in chunk))).toBe(true);
  });

  test('works with its streaming helpers', async () => {
    const { openai } = await createCaller();
    const full = await openai.chat.completions
      .stream({ model, messages: user(`Say ${raw('One, two, three')}`) })
      .finalContent();
    expect(full).toBe('One, two, three');
  });

  test('learns whether the answer was cut by its length or by a stop text', async () => {
    const { openai } = await createCaller({ plan: 'pro' });
    const truncated = await openai.chat.completions.create({
      model,
      messages: user(`Tell me about rivers ${noDelay}`),
      max_completion_tokens: 10,
    });
    expect(truncated.choices[0]?.finish_reason).toBe('length');
    const stopped = async (stop: string | string[]) => {
      const messages = user(`Say ${raw('one two 👋three four')}`);
      const { choices } = await openai.chat.completions.create({ model, messages, stop });
      return [choices[0]?.message.content, choices[0]?.finish_reason];
    };
    expect(await stopped('three')).toEqual(['one two 👋', 'stop']);
    expect(await stopped([' four', 'two'])).toEqual(['one ', 'stop']);
    expect(await stopped('seven')).toEqual(['one two 👋three four', 'stop']);
    // The stop sequence comes first: the answer is empty and costs nothing.
    expect(await stopped('one')).toEqual(['', 'stop']);
  });

  test('lists the models that its key may call', async () => {
    const { openai, secret } = await createCaller();
    const { data } = await openai.models.list();
    expect(data.map(({ id }) => id)).toContain(model);
    expect(await openai.models.retrieve(model)).toMatchObject({ id: model, object: 'model' });
    expect(await refusalOf(openai.models.retrieve('gpt-none'))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    const plain = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
    expect(plain.headers.get('cache-control')).toContain('no-store');
  });
});

describe('a refusal has OpenAI’s shape', () => {
  const cases: [
    says: string,
    body: Record<string, unknown>,
    status: number,
    code: string,
    param: string | null,
  ][] = [
    ['an unknown model', { model: 'gpt-none' }, 404, 'model_not_found', 'model'],
    ['no model', { model: undefined }, 400, 'invalid_value', 'model'],
    ['no messages', { messages: [] }, 400, 'invalid_value', 'messages'],
    ['empty messages', { messages: user(' ') }, 400, 'bad_request', 'messages'],
    [
      'tools',
      { tools: [{ type: 'function', function: { name: 'f' } }] },
      400,
      'unsupported_parameter',
      'tools',
    ],
    ['two answers', { n: 2 }, 400, 'unsupported_parameter', 'n'],
    ['JSON', { response_format: { type: 'json_object' } }, 400, 'unsupported_parameter', 'response_format'],
    ['logprobs', { logprobs: true }, 400, 'unsupported_parameter', 'logprobs'],
    [
      'a picture',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.test/b' } }] },
        ],
      },
      400,
      'invalid_value',
      'messages[0].content',
    ],
    [
      'a tool’s message',
      { messages: [{ role: 'tool', content: 'x' }] },
      400,
      'invalid_value',
      'messages[0].role',
    ],
    ['too many tokens', { max_tokens: 100_000 }, 400, 'invalid_value', 'max_tokens'],
    ['too high a temperature', { temperature: 3 }, 400, 'invalid_value', 'temperature'],
    ['five stop texts', { stop: ['a', 'b', 'c', 'd', 'e'] }, 400, 'invalid_value', 'stop'],
    [
      'more than the context',
      { messages: user('word '.repeat(20_000)) },
      400,
      'context_length_exceeded',
      'messages',
    ],
  ];
  test.each(cases)('%s', async (_, body, status, code, param) => {
    const { secret, person } = await createCaller();
    const answer = await post(secret, { model, messages: user(`Hello ${noDelay}`), ...body });
    const { error } = JSON.parse(answer.text) as { error: Record<string, unknown> };
    expect([answer.status, error.code, error.param, error.type]).toEqual([
      status,
      code,
      param,
      'invalid_request_error',
    ]);
    expect(error.message).toMatch(/\w/);
    expect(await runsOf(person)).toEqual([]);
  });

  test('without credits, and the client does not retry', async () => {
    const { openai, secret } = await createCaller({ credits: 0 });
    const call = { model, messages: user(`Hello ${noDelay}`) };
    expect(await refusalOf(openai.chat.completions.create(call))).toMatchObject({
      status: 429,
      code: 'insufficient_quota',
      type: 'insufficient_quota',
    });
    expect((await post(secret, call)).headers.get('x-should-retry')).toBe('false');
  });

  test('with the time to wait, while the maximum number of runs is active', async () => {
    const { openai, person } = await createCaller();
    const messages = user(`Wait ${uniqueWord()} [[mode:hold]]`);
    const abort = new AbortController();
    const waiting = [1, 2].map(() =>
      refusalOf(openai.chat.completions.create({ model, messages }, { signal: abort.signal })),
    );
    await eventually(async () => {
      const { rowCount } = await server.database.query('select 1 from generations where user_id = $1', [
        person.id,
      ]);
      return rowCount === 2;
    });
    const refused = await refusalOf(openai.chat.completions.create({ model, messages }));
    expect(refused).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    expect(Number(refused.headers?.get('retry-after'))).toBeGreaterThan(0);
    abort.abort();
    await Promise.all(waiting);
    expect((await runsOf(person)).map(({ state }) => state)).toEqual(['stopped', 'stopped']);
    expect(await person.credits()).toBe(10);
  });

  test('from the gateway, before the first text and after it', async () => {
    const { openai, person } = await createCaller();
    const ask = (mode: string, stream: boolean) =>
      openai.chat.completions.create({ model, messages: user(`Hi [[mode:${mode}]] ${noDelay}`), stream });
    for (const stream of [true, false])
      expect(await refusalOf(ask('500', stream))).toMatchObject({ status: 503, type: 'server_error' });
    expect(await refusalOf(ask('403', true))).toMatchObject({
      status: 400,
      code: 'content_policy_violation',
    });
    expect(await refusalOf(ask('400', true))).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    const broken = (await ask('miderror', true)) as AsyncIterable<{
      choices: { delta: { content?: string } }[];
    }>;
    let text = '';
    const readAll = async () => {
      for await (const { choices } of broken) text += choices[0]?.delta.content ?? '';
    };
    expect(await refusalOf(readAll())).toMatchObject({ type: 'server_error' });
    expect(text.length).toBeGreaterThan(0);
    expect(await person.credits()).toBe(10);
  });

  test('for hostile bodies, lengths and paths', async () => {
    const { secret } = await createCaller();
    const bodies: [string | Buffer, number, Record<string, string>?][] = [
      ['', 400],
      ['[]', 400],
      ['null', 400],
      ['{"model":', 400],
      [Buffer.from([0x7b, 0xff, 0x7d]), 400],
      [`{"messages":${'['.repeat(10_000)}1${']'.repeat(10_000)}}`, 400],
      [
        JSON.stringify({ model, messages: user('x'), __proto__: null, constructor: 1 }).replace(
          'constructor',
          '__proto__',
        ),
        200,
      ],
      [JSON.stringify({ model, messages: user('x'.repeat(300_000)) }), 413],
      [JSON.stringify({ model, messages: user('x') }), 415, { 'content-type': 'text/plain' }],
    ];
    for (const [body, status, headers] of bodies) {
      const answer = await post(secret, body, headers);
      expect(answer.status, String(body).slice(0, 60)).toBe(status);
      if (status !== 200)
        expect(JSON.parse(answer.text)).toMatchObject({ error: { message: expect.any(String) } });
    }
    for (const path of ['/v1/', '/v1/nothing', '/v1/chat', '/v1/embeddings', '/v1/../api/me']) {
      const answer = await sendRaw(
        server.url,
        rawRequest(server.url, `GET ${path}`, { authorization: `Bearer ${secret}` }),
      );
      expect([401, 404], path).toContain(answer.status);
    }
  });
});

describe('a key', () => {
  const ask = (secret: string) => post(secret, { model, messages: user(`Hello ${noDelay}`) });

  test('that is unknown or has ended opens nothing', async () => {
    const { person, secret, key } = await createCaller();
    const wrong = [
      '',
      'x',
      'sk-abc',
      `ait_${'A'.repeat(43)}`,
      secret.slice(0, -1),
      `${secret}x`,
      secret.toUpperCase(),
    ];
    for (const each of wrong) {
      const answer = await ask(each);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'invalid_api_key', param: null } });
      expect(answer.text).not.toContain(each || 'Bearer KEY.');
    }
    expect((await ask(secret)).status).toBe(200);
    await server.database.query(`update api_keys set ends_on = app_now()::date - 2 where id = $1`, [key.id]);
    expect((await ask(secret)).status).toBe(401);
    await server.database.query('update api_keys set ends_on = null where id = $1', [key.id]);
    expect((await ask(secret)).status).toBe(200);
    expect((await person.send('DELETE', `${keysPath}/${key.id}`)).status).toBe(204);
    expect((await ask(secret)).status).toBe(401);
  });

  test('of a banned or deleted account ends with it', async () => {
    const [banned, deleted] = [await createCaller(), await createCaller()];
    await server.database.query('update users set banned_at = app_now() where id = $1', [banned.person.id]);
    expect((await ask(banned.secret)).status).toBe(401);
    await server.database.query('update api_keys set revoked_at = app_now() where user_id = $1', [
      banned.person.id,
    ]);
    await server.database.query('delete from sessions where user_id = $1', [banned.person.id]);
    await deleted.person.send('DELETE', '/api/me', { confirm: deleted.person.email });
    expect((await ask(deleted.secret)).status).toBe(401);
  });

  test('has only its own scopes', async () => {
    const { openai, person } = await createCaller({}, { scopes: ['images'] });
    expect(await refusalOf(openai.chat.completions.create({ model, messages: user('x') }))).toMatchObject({
      status: 403,
      code: 'missing_scope',
    });
    expect(await runsOf(person)).toEqual([]);
  });

  test('works on no other route, and a session works on none of /v1', async () => {
    const { person, secret } = await createCaller();
    const authorization = `Bearer ${secret}`;
    for (const path of ['/api/me', '/api/chats', '/api/me/api-keys', '/api/me/export', '/api/credits'])
      expect((await fetch(server.url + path, { headers: { authorization } })).status, path).toBe(401);
    const created = await fetch(server.url + keysPath, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', scopes: ['chat'] }),
    });
    expect(created.status).toBe(403);
    expect((await person.get('/v1/models')).status).toBe(401);
    const body = { model, messages: user('x') };
    expect((await person.send('POST', '/v1/chat/completions', body)).status).toBe(401);
  });

  test('is for servers: no page of another site may read its answers', async () => {
    const { secret } = await createCaller();
    const origin = 'https://evil.test';
    const answer = await post(secret, { model, messages: user(`Hi ${noDelay}`) }, { origin });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const preflight = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('is in no log, and neither are the texts', async () => {
    const { secret, openai } = await createCaller();
    const word = uniqueWord();
    await openai.chat.completions.create({ model, messages: user(`${word} ${raw(`back ${word}`)}`) });
    await post(secret, `{"model": "${word}"`);
    await post(`${secret}x`, { model: word });
    expect(server.output()).not.toContain(secret.slice(4, 20));
    expect(server.output()).not.toContain(word);
  });
});

describe('a client that disconnects', () => {
  const disconnect = async (text: string, until: (received: string) => boolean) => {
    const { openai, person } = await createCaller();
    const abort = new AbortController();
    const stream = await openai.chat.completions.create(
      { model, messages: user(text), stream: true },
      { signal: abort.signal },
    );
    let received = '';
    for await (const { choices } of stream) {
      received += choices[0]?.delta.content ?? '';
      if (until(received)) break;
    }
    abort.abort();
    return { person, runs: await runsOf(person) };
  };

  test('ends the answer and pays for what had arrived', async () => {
    const word = uniqueWord();
    const { person, runs } = await disconnect(
      `Go on ${word} [[tps:30]] [[first:0]] [[tokens:2000]] [[answer:lorem]]`,
      (received) => received.length > 20,
    );
    expect(runs).toMatchObject([{ state: 'stopped', credits_charged: 1, released: false }]);
    expect(await person.credits()).toBe(9);
    await eventually(async () => (await gatewayLog(server, word))[0]?.clientClosedAt);
  });
});

describe('an Idempotency-Key', () => {
  const repeat = (openai: Awaited<ReturnType<typeof createCaller>>['openai'], text: string, key: string) =>
    openai.chat.completions.create({ model, messages: user(text) }, { headers: { 'Idempotency-Key': key } });

  test('returns the same answer for a repeated request, for a day', async () => {
    const { openai, person } = await createCaller();
    const [text, key] = [`Hello ${uniqueWord()} ${noDelay}`, randomUUID()];
    const [one, other] = await Promise.all([repeat(openai, text, key), repeat(openai, text, key)]);
    expect(other.id).toBe(one.id);
    expect(other.choices).toEqual(one.choices);
    const third = await repeat(openai, text, key);
    expect([third.id, third.choices, third.usage]).toEqual([one.id, one.choices, one.usage]);
    expect(await person.credits()).toBe(9);
    expect(await refusalOf(repeat(openai, 'Something else', key))).toMatchObject({ status: 422 });
    expect(await refusalOf(repeat(openai, text, 'short'))).toMatchObject({ status: 400 });
    const another = openaiClient(server, (await createKey(person)).secret);
    expect((await repeat(another, text, key)).id).not.toBe(one.id);

    await runJob(server, 'erase-completions');
    expect((await repeat(openai, text, key)).id).toBe(one.id);
    await server.database.query(
      `update generations set finished_at = finished_at - interval '25 hours' where user_id = $1`,
      [person.id],
    );
    await runJob(server, 'erase-completions');
    expect(await refusalOf(repeat(openai, text, key))).toMatchObject({ status: 410, code: 'gone' });
  });

  test('is needed for texts to be stored at all', async () => {
    const { openai, person } = await createCaller();
    const word = uniqueWord();
    await openai.chat.completions.create({ model, messages: user(`${word} ${raw(`back ${word}`)}`) });
    await eventually(async () => (await runsOf(person))[0]?.text === '');
    const { rows } = await server.database.query(
      `select g::text as row from generations g where user_id = $1
       union all select c::text from generation_chunks c join generations g on g.id = c.generation_id where g.user_id = $1`,
      [person.id],
    );
    expect(rows.length).toBe(1);
    expect(rows[0].row).not.toContain(word);
  });
});
