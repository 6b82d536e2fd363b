import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { failureText } from '#features/chat/contract.ts';
import type { GenerationView } from '#features/generations/contract.ts';
import {
  ended,
  gatewayLog,
  type LoggedCall,
  marker,
  openChat,
  readEvents,
  type Sent,
  send,
  startedOf,
  stream,
  textOf,
} from '../support/chat.ts';
import { metric } from '../support/deaf.ts';
import { ask as draw } from '../support/images.ts';
import { createPerson, type Person, through } from '../support/people.ts';
import { writeScript } from '../support/scripts.ts';
import { seedDocument } from '../support/seed-document.ts';
import { eventually, startBeside, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';
import { expectSound } from '../support/soundness.ts';
import { begin as beginText } from '../support/writer.ts';

let server: TestServer;
/** Silent modes run until their timeout (30 s after text has arrived), so they start first and are checked last. */
const silent: Record<string, Promise<Outcome>> = {};
/** Short for the test, yet longer than any first token takes here. */
const FIRST_TOKEN_MS = 4_000;
beforeAll(async () => {
  const env = { FIRST_TOKEN_SECONDS: String(FIRST_TOKEN_MS / 1_000) };
  server = await startTestServer({ postgres: inject('postgres'), env });
  for (const mode of soak ? ['stallhead', 'stall'] : ['stallhead'])
    silent[mode] = run(`[[mode:${mode}]] [[tps:0]]`, { ms: 60_000 });
});
afterAll(() => server.stop());

interface Outcome {
  person: Person;
  sent: Sent;
  view: GenerationView;
  /** The gateway's log of the call; for silent modes, once it has ended. */
  call: LoggedCall;
  ms: number;
}

async function run(
  markers: string,
  { ms, calls = 1 }: { ms?: number; calls?: number } = {},
): Promise<Outcome> {
  const person = await createPerson(server);
  const word = marker();
  const startedAt = Date.now();
  const sent = await send(person, `${word} ${markers} [[first:0]]`);
  const view = await ended(person, sent.body.generation.id, ms);
  const took = Date.now() - startedAt;
  const call = await eventually(async () => {
    const all = await gatewayLog(server, word);
    expect(all).toHaveLength(calls);
    const found = all.at(-1);
    return found && (found.finished || found.clientClosedAt || found.closedBy) ? found : null;
  });
  return { person, sent, view, call, ms: took };
}

const outcomeOf = async (generationId: string) =>
  (
    await server.database.query('select outcome, http_status from gateway_calls where generation_id = $1', [
      generationId,
    ])
  ).rows;

const outcomesOf = async (generationId: string) =>
  (
    await server.database.query<{ outcome: string }>(
      'select outcome from gateway_calls where generation_id = $1 order by started_at',
      [generationId],
    )
  ).rows.map(({ outcome }) => outcome);

async function expectFailure({ person, sent, view }: Outcome, message = failureText()): Promise<void> {
  expect(view).toMatchObject({ state: 'failed', creditsCharged: 0, finishReason: null, error: { message } });
  expect(await person.credits()).toBe(10);
  const { messages } = await openChat(person, sent.chatId);
  expect(messages).toMatchObject([{ role: 'user' }, { state: 'failed', content: view.text, error: message }]);
}

describe('a lenient reading of', () => {
  const whole = ['ok', 'comments', 'crlf', 'splitutf8', 'nospace', 'nousage', 'reasoning', 'nochoices'];
  it.each([...whole, 'nullcontent', 'eofnodone', 'afterdone', 'doublefinish'])(
    '%s gives the exact text',
    async (mode) => {
      const { person, view, call } = await run(`[[mode:${mode}]] [[tps:0]]`);
      expect(view).toMatchObject({ state: 'done', creditsCharged: 1, finishReason: 'stop', error: null });
      expect(view.text).toBe(call.sentText);
      expect(view.text.length).toBeGreaterThan(100);
      expect(await person.credits()).toBe(9);
    },
  );

  it('control keeps what can be stored, the same for reader and store', async () => {
    const person = await createPerson(server);
    const word = marker();
    const events = await readEvents(await stream(person, `${word} [[mode:control]] [[tps:0]]`));
    const { text } = await ended(person, startedOf(events).generation.id);
    expect(textOf(events)).toBe(text);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\0');
    const [call] = await gatewayLog(server, word);
    const plain = (value: string) => value.replace(/[\0\ufffd\p{Cs}]/gu, '');
    expect(plain(text)).toBe(plain(call?.sentText ?? ''));
  });
});

describe('an answer that does not end', () => {
  it.each(['miderror', 'miderror2', 'vllmerror', 'fielderror', 'eof', 'reset'])(
    'well (%s) is kept, marked and given back',
    async (mode) => {
      const outcome = await run(`[[mode:${mode}]] [[tps:0]]`);
      await expectFailure(outcome);
      expect(outcome.view.text.length).toBeGreaterThan(20);
      expect(outcome.call.sentText.startsWith(outcome.view.text)).toBe(true);
    },
  );

  it('whole, for one event that cannot be read, is kept as far as it is there, and marked', async () => {
    const { view, call, person, sent } = await run('[[mode:badjson]] [[tps:0]]');
    expect(view).toMatchObject({ state: 'done', finishReason: 'incomplete', creditsCharged: 1, error: null });
    expect(view.text).toBe(call.sentText);
    const { messages } = await openChat(person, sent.chatId);
    expect(messages.at(-1)).toMatchObject({ finishReason: 'incomplete', content: view.text });
  });

  it('well after 200 characters can be asked for again', async () => {
    const outcome = await run('[[mode:lateerror,ok]] [[tps:0]]');
    await expectFailure(outcome);
    expect(outcome.view.text).toHaveLength(200);
    const { person, sent } = outcome;
    const again = await person.send(
      'POST',
      `/api/chats/${sent.chatId}/messages/${sent.body.reply.id}/regenerate`,
      {},
      { 'idempotency-key': randomUUID() },
    );
    const { generation, reply } = (await again.json()) as Sent['body'];
    expect(await ended(person, generation.id)).toMatchObject({ state: 'done', creditsCharged: 1 });
    expect((await openChat(person, sent.chatId)).messages.map(({ id }) => id)).toEqual([
      sent.body.message.id,
      reply.id,
    ]);
    expect(await person.credits()).toBe(9);
  });

  it('at all is cut at the length of a reply, and closed at the gateway within a second', async () => {
    const { view, call, person, sent } = await run('[[mode:endless]]');
    expect(view).toMatchObject({ state: 'done', finishReason: 'length', creditsCharged: 1 });
    expect(Buffer.byteLength(view.text)).toBeLessThanOrEqual(256 * 1024);
    expect(Buffer.byteLength(view.text)).toBeGreaterThan(255 * 1024);
    expect(call.sentText.startsWith(view.text)).toBe(true);
    const { rows } = await server.database.query<{ at: Date }>(
      'select finished_at as at from generations where id = $1',
      [sent.body.generation.id],
    );
    expectWithin(Date.parse(call.clientClosedAt ?? '') - (rows[0]?.at.getTime() ?? 0), 1_000);
    expect((await openChat(person, sent.chatId)).messages[1]).toMatchObject({ finishReason: 'length' });
  });

  it('its line is cut at a mebibyte, without harm to others', async () => {
    const other = await createPerson(server);
    const word = marker();
    let last = 0;
    let gap = 0;
    const response = await stream(other, `${word} [[answer:lorem]] [[tokens:120]] [[tps:60]]`);
    const beside = readEvents(response, () => {
      if (last > 0) gap = Math.max(gap, performance.now() - last);
      last = performance.now();
      return false;
    });
    const before = await metric(server, 'process_resident_memory_bytes');
    const outcome = await run('[[mode:hugeline]]');
    await expectFailure(outcome);
    expect(outcome.view.text).toBe('');
    expect(await outcomeOf(outcome.sent.body.generation.id)).toMatchObject([{ outcome: 'event_too_large' }]);
    expectWithin(((await metric(server, 'process_resident_memory_bytes')) - before) / 2 ** 20, 50, 'MB');
    const [call] = await eventually(async () => {
      const calls = await gatewayLog(server, word);
      return calls[0]?.finished ? calls : null;
    });
    expect(textOf(await beside)).toBe(call?.sentText);
    expectWithin(gap, 500);
  });
});

describe('no answer', () => {
  const kinds: Array<[mode: string, outcome: string, status: number | null]> = [
    ['html', 'not_a_stream', 200],
    ['empty', 'truncated', null],
    ['json-402', 'payment', 402],
    ['502', 'http_error', 502],
    ['401', 'unauthorized', 401],
    ['402', 'payment', 402],
    ['404', 'http_error', 404],
    ['408', 'http_error', 408],
    ['429', 'rate_limited', 429],
    ['500', 'http_error', 500],
    ['503', 'http_error', 503],
    ['529', 'http_error', 529],
  ];
  it.each(kinds)('but %s is a failure of kind %s, without a charge', async (mode, kind, status) => {
    const outcome = await run(`[[mode:${mode}]] [[tps:0]]`);
    await expectFailure(outcome);
    expect(outcome.view.text).toBe('');
    expect(await outcomeOf(outcome.sent.body.generation.id)).toEqual([
      { outcome: kind, http_status: status },
    ]);
  });

  it('for want of money is told to the operator as an error, and not to the person', async () => {
    const { sent, view } = await run('[[mode:json-402]]');
    const line = await eventually(async () =>
      server
        .output()
        .split('\n')
        .find((each) => each.includes(sent.body.generation.id) && each.includes('the gateway failed')),
    );
    expect(JSON.parse(line)).toMatchObject({ level: 50, kind: 'payment', status: 402 });
    expect(JSON.stringify(view.error)).not.toMatch(/insufficient|402|payment$/i);
  });

  it('by moderation says so', async () => {
    const outcome = await run('[[mode:403]]');
    await expectFailure(outcome, 'The model’s provider declined this request. Change it and try again.');
  });

  it('from a gateway that refuses connections is known within three seconds', async () => {
    const cut = await startBeside(server, { LLM_BASE_URL: 'http://127.0.0.1:1/v1' });
    try {
      const person = await createPerson(server);
      const there = through(cut, person);
      const at = Date.now();
      const sent = await send(there, marker());
      const view = await ended(there, sent.body.generation.id);
      expectWithin(Date.now() - at, 3_000);
      expect(view).toMatchObject({
        state: 'failed',
        creditsCharged: 0,
        error: { code: 'refused', message: failureText() },
      });
      expect(await person.credits()).toBe(10);
      expect((await openChat(person, sent.chatId)).messages[0]).toMatchObject({ role: 'user' });

      const reader = await createPerson(server, { plan: 'pro' });
      const pro = through(cut, reader);
      const analysis = `/api/documents/${await seedDocument(server, reader)}/analysis`;
      const key = { 'idempotency-key': randomUUID() };
      const asked: Array<[Person, { generation: { id: string } }]> = [
        [there, (await beginText(there, { prompt: marker() })).body],
        [there, (await draw(there, { prompt: marker(), size: '512x512' })).body],
        [pro, (await writeScript(pro, 'Two people wait for a bus.')).body],
        [pro, (await (await pro.send('POST', analysis, undefined, key)).json()) as Sent['body']],
      ];
      for (const [who, { generation }] of asked)
        expect(await ended(who, generation.id)).toMatchObject({
          state: 'failed',
          creditsCharged: 0,
          error: { code: 'refused', message: expect.stringMatching(/try again/i) },
        });
      expect([await person.credits(), await reader.credits()]).toEqual([10, 10]);
    } finally {
      await cut.stop();
    }
  });
});

/** The server keeps the limit that it learns here, so later tests must not need a larger context. */
describe('a model with a small context', () => {
  const tooLong = 'This message is too long for the model';

  it('is asked once more for what it takes, in the same run and for one charge, and then at once', async () => {
    const person = await createPerson(server);
    const fast = '[[answer:lorem]] [[tokens:6]] [[tps:0]] [[first:0]]';
    const { chatId, body } = await send(person, `${'long words '.repeat(800)} ${fast}`);
    await ended(person, body.generation.id);

    const say = async (context: string, text = '') => {
      const word = marker();
      const sent = await send(person, `${text} ${word} [[context:${context}]] ${fast}`, { chatId });
      const view = await ended(person, sent.body.generation.id);
      const calls = (await gatewayLog(server, word)).map(({ messages }) => messages.length);
      const reply = (await openChat(person, chatId)).messages.at(-1);
      return { view, calls, reply, outcomes: await outcomesOf(sent.body.generation.id) };
    };

    const second = await say('vllm,5000', 'more words '.repeat(800));
    expect(second.view).toMatchObject({ state: 'done', creditsCharged: 1, error: null });
    expect(second.outcomes).toEqual(['context_length', 'stop']);
    expect(second.calls).toEqual([4, 2]);
    expect(second.reply).toMatchObject({ leftOut: 2 });

    const third = await say('counted,2000');
    expect(third).toMatchObject({
      outcomes: ['context_length', 'stop'],
      calls: [4, 2],
      reply: { leftOut: 4 },
    });
    expect(await say('counted,2000')).toMatchObject({ outcomes: ['stop'], reply: { leftOut: 4 } });
    expect(await person.credits()).toBe(6);

    const hopeless = await say('field,1');
    expect(hopeless.view).toMatchObject({
      state: 'failed',
      creditsCharged: 0,
      error: { code: 'context_length', message: expect.stringContaining('too long for the model') },
    });
    expect(hopeless.outcomes).toEqual(['context_length', 'context_length']);
    expect(await person.credits()).toBe(6);
  });

  it.each(['field', 'counted', 'llamacpp', 'vllm', 'openai'])(
    'says in a sentence that a message alone is too long (%s)',
    async (form) => {
      const outcome = await run(`[[context:${form},1]]`, { calls: 2 });
      expect(outcome.view.error?.message).toContain(tooLong);
      await expectFailure(outcome, outcome.view.error?.message);
    },
  );

  it('is known by its refusal in the form of OpenRouter too', async () => {
    const { view } = await run('[[mode:400]] [[tps:0]]', { calls: 2 });
    expect(view).toMatchObject({ state: 'failed', error: { code: 'context_length' } });
  });
});

describe('silence', () => {
  const modes: [mode: string, kind: string, least: number, limit: number][] = [
    ['stallhead', 'timeout_first_byte', 0, FIRST_TOKEN_MS],
    ...(soak ? [['stall', 'timeout_idle', 20, 30_000] as [string, string, number, number]] : []),
  ];
  it.each(modes)(
    'in mode %s ends when its time is over, upstream too',
    async (mode, kind, least, limit) => {
      const outcome = (await silent[mode]) as Outcome;
      await expectFailure(outcome);
      expect(outcome.view.error?.code).toBe(kind);
      expect(outcome.view.text.length).toBeGreaterThanOrEqual(least);
      expect(outcome.ms).toBeGreaterThan(limit - 1_000);
      expect(outcome.call.clientClosedAt).not.toBeNull();
    },
    90_000,
  );
});

it('every invariant holds', () => expectSound(server));
