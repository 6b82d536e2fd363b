import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openChat, send, stop, uniqueWord, waitForEnd, waitForText } from '../support/chat.ts';
import { audit, waitUntilIdle } from '../support/consistency.ts';
import { sentence } from '../support/documents.ts';
import { pdfWith } from '../support/pdf.ts';
import { createPeople, createPerson } from '../support/people.ts';
import { freePort, rawRequest, sendRaw } from '../support/raw.ts';
import { eventually, startTestServer, type TestServer, waitForExit } from '../support/server.ts';
import { writeTinyModel } from '../support/tiny-model.ts';

const CONTEXT = 2048;

/** The operator's command, as npm runs it. */
async function runModel(
  dataDir: string,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [resolve('model/main.ts'), ...args], {
    env: { ...process.env, DATA_DIR: dataDir, LLM_BASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return waitForExit(child);
}

/** The process of a server that serves the model. */
function modelProcess(server: TestServer): number | undefined {
  const isModelProcess = (pid: string) => {
    try {
      const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return Number(parent) === server.process.pid && command.includes('model/serve.ts');
    } catch {
      return false;
    }
  };
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isModelProcess(name));
  return pid === undefined ? undefined : Number(pid);
}

let dataDir: string;
let port: number;
let server: TestServer;
let base: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'site-model-'));
  port = await freePort();
  const file = join(dataDir, 'tiny.gguf');
  writeTinyModel(file);
  const { code, output } = await runModel(
    dataDir,
    '--file',
    file,
    '--context',
    `${CONTEXT}`,
    '--port',
    `${port}`,
  );
  expect([code, output]).toEqual([0, expect.stringContaining('The site uses it from its next start')]);
  server = await startTestServer({ postgres: inject('postgres'), dataDir });
  base = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const health = async () =>
  (await (await fetch(`${base}/health`)).json()) as { status: string; busy: number; model: string };

const callsOf = async (generationId: string) =>
  (
    await server.database.query<{ outcome: string; completion_tokens: number; cost_micros: number }>(
      'select * from gateway_calls where generation_id = $1 order by started_at',
      [generationId],
    )
  ).rows;

const ask = (body: object, signal?: AbortSignal) =>
  fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });

describe('the site with a model on this machine', () => {
  test('names its model, and uses no stand-in for texts', () => {
    expect(server.output()).toContain('Using tiny on this machine.');
    expect(server.output()).toMatch(/Using local stand-ins for: images, payments/);
  });

  test('answers, charges once, titles the chat, and records the token counts of the runtime', async () => {
    const person = await createPerson(server);
    const sent = await send(person, `Tell me about ${uniqueWord()}`);
    const view = await waitForEnd(person, sent.body.generation.id);
    expect(view).toMatchObject({ state: 'done', creditsCharged: 1 });
    expect(view.text.length).toBeGreaterThan(20);
    expect((await openChat(person, sent.chatId)).messages[1]?.content).toBe(view.text);
    await eventually(async () => (await openChat(person, sent.chatId)).title !== sent.body.chat.title);
    const [call] = await callsOf(sent.body.generation.id);
    expect(['stop', 'length']).toContain(call?.outcome);
    expect(call?.cost_micros).toBe(0);
    expect(call?.completion_tokens).toBeGreaterThan(10);
    expect(await person.credits()).toBe(9);
  });

  test('ends the model’s work with Stop, and keeps the text so far', async () => {
    const person = await createPerson(server);
    const sent = await send(person, 'Write much.');
    await waitForText(person, sent.body.generation.id);
    await stop(person, sent.body.generation.id);
    const view = await waitForEnd(person, sent.body.generation.id);
    expect(view.state).toBe('stopped');
    expect(view.text).not.toBe('');
    const [call] = await callsOf(sent.body.generation.id);
    expect(call?.outcome).toBe('aborted');
    await waitUntilIdle(server);
    await eventually(async () => (await health()).busy === 0);
  });

  test('omits the start of a chat that exceeds the context', async () => {
    const person = await createPerson(server);
    const chatId = crypto.randomUUID();
    let last = '';
    // A character is a token here, of which the site expects four times fewer.
    for (let turn = 0; turn < 4; turn++) {
      const sent = await send(person, `${turn} ${'word '.repeat(150)}`, { chatId });
      last = sent.body.generation.id;
      const view = await waitForEnd(person, last);
      expect([turn, view.state]).toEqual([turn, 'done']);
    }
    const { rows } = await server.database.query<{ outcome: string }>(
      `select c.outcome from gateway_calls c join generations g on g.id = c.generation_id where g.user_id = $1`,
      [person.id],
    );
    expect(rows.map(({ outcome }) => outcome)).toContain('context_length');
    expect(await person.credits()).toBe(6);
  });

  test('answers several people one after the other', async () => {
    const people = await createPeople(server, 4);
    const sent = await Promise.all(people.map((person) => send(person, `Hello from ${uniqueWord()}`)));
    const views = await Promise.all(
      people.map((person, at) => waitForEnd(person, sent[at]?.body.generation.id ?? '', 90_000)),
    );
    expect(views.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
    await waitUntilIdle(server);
  });

  test('requests structured answers by a grammar, which the model cannot violate', async () => {
    const person = await createPerson(server, { plan: 'pro', credits: 100 });
    const uploaded = await fetch(`${server.url}/api/documents?name=report.pdf`, {
      method: 'POST',
      headers: { cookie: person.cookie, origin: server.url },
      body: new Uint8Array(await pdfWith([Array.from({ length: 8 }, (_, at) => sentence(at)).join(' ')])),
    });
    const { id } = (await uploaded.json()) as { id: string };
    expect(uploaded.status).toBe(201);
    const answer = await person.send(
      'POST',
      `/api/documents/${id}/questions`,
      { question: 'What was lost?' },
      { 'idempotency-key': crypto.randomUUID() },
    );
    const { generation } = (await answer.json()) as { generation: { id: string } };
    await waitForEnd(person, generation.id);
    // Random words are no quotes; that no call was refused for its schema is what counts.
    const outcomes = (await callsOf(generation.id)).map(({ outcome }) => outcome);
    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes.filter((outcome) => !['stop', 'length'].includes(outcome))).toEqual([]);
  });

  test('fails as usual if the runtime dies during a reply, returns the credit, and restarts the runtime', async () => {
    const person = await createPerson(server);
    const sent = await send(person, 'Write much.');
    await waitForText(person, sent.body.generation.id);
    const pid = modelProcess(server) ?? 0;
    process.kill(pid, 'SIGKILL');
    const view = await waitForEnd(person, sent.body.generation.id);
    expect(view).toMatchObject({ state: 'failed', creditsCharged: 0 });
    expect(view.error?.message).toMatch(/^[A-Z].*\.$/);
    expect(await person.credits()).toBe(10);
    expect(server.output()).toContain('the local model stopped; restarting it');
    await eventually(async () => modelProcess(server) !== pid && (await health()).status === 'ok');
    const next = await send(person, 'Once more.');
    expect((await waitForEnd(person, next.body.generation.id)).state).toBe('done');
    expect(await audit(server)).toEqual([]);
  });

  test('moves to a free port if another program uses its own, and ends with the site', async () => {
    const blocker = createServer();
    const second = mkdtempSync(join(tmpdir(), 'site-model-'));
    symlinkSync(join(dataDir, 'model'), join(second, 'model'));
    await server.end();
    await new Promise<void>((done) => blocker.listen(port, '127.0.0.1', done));
    const other = await startTestServer({ postgres: inject('postgres'), dataDir: second });
    try {
      const person = await createPerson(other);
      const sent = await send(person, 'Hello.');
      expect((await waitForEnd(person, sent.body.generation.id)).state).toBe('done');
      const pid = modelProcess(other) ?? 0;
      await other.kill();
      await eventually(async () => !existsSync(`/proc/${pid}`));
    } finally {
      await other.stop();
      blocker.close();
      rmSync(second, { recursive: true, force: true });
    }
    server = await startTestServer({ postgres: inject('postgres'), dataDir });
  });
});

describe('the model’s own server', () => {
  const messages = [{ role: 'user', content: 'Hello.' }];
  const schema = {
    type: 'object',
    properties: {
      verdict: { enum: ['yes', 'no'] },
      sure: { type: 'boolean' },
      tags: { type: 'array', items: { enum: ['red', 'blue'] }, maxItems: 2 },
      more: { anyOf: [{ type: 'null' }, { const: 'none' }] },
    },
    required: ['verdict', 'sure', 'tags', 'more'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };

  test('lists its model with its context length', async () => {
    const { data } = (await (await fetch(`${base}/v1/models`)).json()) as { data: object[] };
    expect(data).toEqual([
      expect.objectContaining({
        id: 'tiny',
        context_length: CONTEXT,
        meta: { n_ctx: CONTEXT, n_ctx_train: 32_768 },
      }),
    ]);
  });

  test('answers as a whole and as a stream, with usage and finish reason', async () => {
    const completion = (await (await ask({ messages, max_tokens: 8 })).json()) as Record<string, never>;
    expect(completion).toMatchObject({
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: 'length' }],
      usage: { completion_tokens: 8, cost: 0 },
    });
    const streamed = await ask({
      messages,
      max_tokens: 8,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    const events = (await streamed.text()).split('\n\n').filter((block) => block.startsWith('data: '));
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((block) => JSON.parse(block.slice(6)) as Record<string, never>);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 8 } });
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'length' }] });
  });

  test.each([1, 2, 3])('follows a JSON Schema (%i)', async () => {
    const answer = (await (await ask({ messages, response_format, temperature: 1 })).json()) as {
      choices: Array<{ message: { content: string }; finish_reason: string }>;
    };
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    const value = JSON.parse(answer.choices[0]?.message.content ?? '') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['verdict', 'sure', 'tags', 'more']);
    expect(['yes', 'no']).toContain(value.verdict);
    expect(typeof value.sure).toBe('boolean');
    expect([null, 'none']).toContain(value.more);
  });

  test('reports a prompt that exceeds its context as llama.cpp does', async () => {
    const response = await ask({ messages: [{ role: 'user', content: 'x'.repeat(5_000) }] });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'context_length_exceeded', type: 'exceed_context_size_error', n_ctx: CONTEXT },
    });
  });

  test.each([
    ['no JSON', 'x', 400],
    ['no messages', '{}', 400],
    ['an unknown role', '{"messages":[{"role":"king","content":"x"}]}', 400],
    ['a picture', '{"messages":[{"role":"user","content":[{"type":"image_url"}]}]}', 400],
    ['tools', '{"messages":[{"role":"user","content":"x"}],"tools":[]}', 400],
    [
      'an unsupported schema',
      JSON.stringify({
        messages,
        response_format: { type: 'json_schema', json_schema: { schema: { allOf: [] } } },
      }),
      400,
    ],
    ['9 MB', JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(9_000_000) }] }), 413],
  ])('refuses %s in OpenAI’s form', async (_, body, status) => {
    const response = await fetch(`${base}/v1/chat/completions`, { method: 'POST', body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { message: expect.any(String), type: 'invalid_request_error' },
    });
  });

  test('stops when the connection closes, whether the reply runs or waits', async () => {
    const running = new AbortController();
    const first = await ask({ messages, stream: true }, running.signal);
    const waiting = new AbortController();
    const second = ask({ messages }, waiting.signal).catch(() => null);
    await eventually(async () => (await health()).busy === 2);
    waiting.abort();
    running.abort();
    await Promise.all([first.text().catch(() => null), second]);
    await eventually(async () => (await health()).busy === 0);
  });

  test('answers no web page and no foreign host name', async () => {
    const foreign = await fetch(`${base}/v1/models`, { headers: { origin: 'https://evil.test' } });
    expect(foreign.status).toBe(403);
    const rebound = await sendRaw(base, rawRequest(base, 'GET /v1/models', { host: 'evil.test' }));
    expect(rebound.status).toBe(403);
  });
});

describe('npm run model -- --remove', () => {
  test('returns to the stand-in', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-model-'));
    mkdirSync(join(folder, 'model'));
    expect((await runModel(folder, '--remove')).output).toContain('Removed.');
    expect(existsSync(join(folder, 'model'))).toBe(false);
    expect((await runModel(folder, '--remove')).output).toContain('No model is installed');
    rmSync(folder, { recursive: true });
  });
});
