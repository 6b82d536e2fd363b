import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { failureText } from '#features/chat/contract.ts';
import type { GenerationView } from '#features/generations/contract.ts';
import {
  gatewayLog,
  type LoggedCall,
  openChat,
  readEvents,
  type Sent,
  send,
  startedReply,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { release } from '../support/gateway.ts';
import { requestImages as draw } from '../support/images.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { writeScript } from '../support/scripts.ts';
import { seedDocument } from '../support/seed-document.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';
import { metric } from '../support/stalled-readers.ts';
import { begin as beginText } from '../support/writer.ts';

let server: TestServer;
/** Silent modes run until their timeout (30 s after text has arrived), so they start first and are checked last. */
const silentRuns: Record<string, Promise<Outcome>> = {};
/** Short for the test, yet longer than any first token takes here. */
const FIRST_TOKEN_MS = 4_000;
beforeAll(async () => {
  const env = { FIRST_TOKEN_SECONDS: String(FIRST_TOKEN_MS / 1_000) };
  server = await startTestServer({ postgres: inject('postgres'), env });
  for (const mode of soak ? ['stallhead', 'stall'] : ['stallhead'])
    silentRuns[mode] = run(`[[mode:${mode}]] [[tps:0]]`, { ms: 60_000 });
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
  const word = uniqueWord();
  const startedAt = Date.now();
  const sent = await send(person, `${word} ${markers} [[first:0]]`);
  const view = await waitForEnd(person, sent.body.generation.id, ms);
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

describe('a lenient reading of mode', () => {
  const intactModes = ['ok', 'comments', 'crlf', 'splitutf8', 'nospace', 'nousage', 'reasoning', 'nochoices'];
  it.each([...intactModes, 'nullcontent', 'eofnodone', 'afterdone', 'doublefinish'])(
    '%s gives the exact text',
    async (mode) => {
      const { person, view, call } = await run(`[[mode:${mode}]] [[tps:0]]`);
      expect(view).toMatchObject({ state: 'done', creditsCharged: 1, finishReason: 'stop', error: null });
      expect(view.text).toBe(call.sentText);
      expect(view.text.length).toBeGreaterThan(100);
      expect(await person.credits()).toBe(9);
    },
  );

  it('control keeps what can be stored, the same for reader and database', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const events = await readEvents(await stream(person, `${word} [[mode:control]] [[tps:0]]`));
    const { text } = await waitForEnd(person, startedReply(events).generation.id);
    expect(textOf(events)).toBe(text);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\0');
    const [call] = await gatewayLog(server, word);
    const storable = (value: string) => value.replace(/[\0\ufffd\p{Cs}]/gu, '');
    expect(storable(text)).toBe(storable(call?.sentText ?? ''));
  });
});

it('figures that the database refuses delay no reply, and are stored once it takes them', async () => {
  await server.database.query(
    'alter table gateway_calls add constraint refused check (completion_tokens <> 23) not valid',
  );
  const { person, view } = await run('[[answer:lorem]] [[tokens:23]] [[tps:0]]');
  expect(view).toMatchObject({ state: 'done', creditsCharged: 1, error: null });
  expect(await person.credits()).toBe(9);
  await server.database.query('alter table gateway_calls drop constraint refused');
  await eventually(async () => {
    const { rows } = await server.database.query(
      'select outcome from gateway_calls where completion_tokens = 23',
    );
    return rows[0]?.outcome === 'stop';
  });
});

it('costs of an open call that the database refuses do not hold up the log', async () => {
  const { database } = server;
  await database.query(
    `alter table gateway_calls add constraint refused check (outcome <> 'open' or cost_micros is null) not valid`,
  );
  const person = await createPerson(server);
  const word = uniqueWord();
  const sent = await send(person, `${word} [[mode:hold]] [[holdAfter:3]] [[tps:0]]`);
  await eventually(async () =>
    server.output().includes('the costs of open gateway calls could not be stored'),
  );
  // Shown text is forgotten at the end of a flush, once the log contains it.
  await eventually(async () => {
    const { rows } = await database.query(
      `select (select count(*)::int from shown_pieces) as shown,
              (select count(*)::int from generation_chunks where generation_id = $1) as logged`,
      [sent.body.generation.id],
    );
    return rows[0]?.shown === 0 && rows[0].logged > 0;
  });
  await database.query('alter table gateway_calls drop constraint refused');
  await release(server, word);
  expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({
    state: 'done',
    creditsCharged: 1,
  });
});

describe('an answer that ends badly', () => {
  it.each(['miderror', 'miderror2', 'vllmerror', 'fielderror', 'eof', 'reset'])(
    'with %s is stored, marked and refunded',
    async (mode) => {
      const outcome = await run(`[[mode:${mode}]] [[tps:0]]`);
      await expectFailure(outcome);
      expect(outcome.view.text.length).toBeGreaterThan(20);
      expect(outcome.call.sentText.startsWith(outcome.view.text)).toBe(true);
    },
  );

  it('with one unreadable event is stored as far as it is readable, and marked', async () => {
    const { view, call, person, sent } = await run('[[mode:badjson]] [[tps:0]]');
    expect(view).toMatchObject({ state: 'done', finishReason: 'incomplete', creditsCharged: 1, error: null });
    expect(view.text).toBe(call.sentText);
    const { messages } = await openChat(person, sent.chatId);
    expect(messages.at(-1)).toMatchObject({ finishReason: 'incomplete', content: view.text });
  });

  it('after 200 characters can be regenerated', async () => {
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
    expect(await waitForEnd(person, generation.id)).toMatchObject({ state: 'done', creditsCharged: 1 });
    expect((await openChat(person, sent.chatId)).messages.map(({ id }) => id)).toEqual([
      sent.body.message.id,
      reply.id,
    ]);
    expect(await person.credits()).toBe(9);
  });

  it('by never ending is cut at the length limit of a reply, and closed at the gateway within a second', async () => {
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

  it('with an endless line is cut at a mebibyte, without an effect on others', async () => {
    const other = await createPerson(server);
    const word = uniqueWord();
    let lastAt = 0;
    let longestGap = 0;
    const response = await stream(other, `${word} [[answer:lorem]] [[tokens:120]] [[tps:60]]`);
    const otherReader = readEvents(response, () => {
      if (lastAt > 0) longestGap = Math.max(longestGap, performance.now() - lastAt);
      lastAt = performance.now();
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
    expect(textOf(await otherReader)).toBe(call?.sentText);
    expectWithin(longestGap, 500);
  });
});

describe('a failure instead of an answer', () => {
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
  it.each(kinds)('%s has kind %s, and is not charged', async (mode, kind, status) => {
    const outcome = await run(`[[mode:${mode}]] [[tps:0]]`);
    await expectFailure(outcome);
    expect(outcome.view.text).toBe('');
    expect(await outcomeOf(outcome.sent.body.generation.id)).toEqual([
      { outcome: kind, http_status: status },
    ]);
  });

  it('for lack of payment is reported to the operator as an error, and not to the person', async () => {
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

  it('because of moderation is explained', async () => {
    const outcome = await run('[[mode:403]]');
    await expectFailure(outcome, 'The model’s provider declined this request. Change it and try again.');
  });

  it('from a gateway that refuses connections is detected within three seconds', async () => {
    const unreachable = await startSecondProcess(server, { LLM_BASE_URL: 'http://127.0.0.1:1/v1' });
    try {
      const person = await createPerson(server);
      const throughUnreachable = personAt(unreachable, person);
      const at = Date.now();
      const sent = await send(throughUnreachable, uniqueWord());
      const view = await waitForEnd(throughUnreachable, sent.body.generation.id);
      expectWithin(Date.now() - at, 3_000);
      expect(view).toMatchObject({
        state: 'failed',
        creditsCharged: 0,
        error: { code: 'refused', message: failureText() },
      });
      expect(await person.credits()).toBe(10);
      expect((await openChat(person, sent.chatId)).messages[0]).toMatchObject({ role: 'user' });

      const reader = await createPerson(server, { plan: 'pro' });
      const proReader = personAt(unreachable, reader);
      const analysis = `/api/documents/${await seedDocument(server, reader)}/analysis`;
      const key = { 'idempotency-key': randomUUID() };
      const started: Array<[Person, { generation: { id: string } }]> = [
        [throughUnreachable, (await beginText(throughUnreachable, { prompt: uniqueWord() })).body],
        [
          throughUnreachable,
          (await draw(throughUnreachable, { prompt: uniqueWord(), size: '512x512' })).body,
        ],
        [proReader, (await writeScript(proReader, 'Two people wait for a bus.')).body],
        [proReader, (await (await proReader.send('POST', analysis, undefined, key)).json()) as Sent['body']],
      ];
      for (const [owner, { generation }] of started)
        expect(await waitForEnd(owner, generation.id)).toMatchObject({
          state: 'failed',
          creditsCharged: 0,
          error: { code: 'refused', message: expect.stringMatching(/try again/i) },
        });
      expect([await person.credits(), await reader.credits()]).toEqual([10, 10]);
    } finally {
      await unreachable.stop();
    }
  });
});

/** The server keeps the limit that it learns here, so later tests must not need a larger context. */
describe('a model with a small context', () => {
  const tooLong = 'This message is too long for the model';

  it('receives one more, shorter request in the same run at one charge, and then shorter requests at once', async () => {
    const person = await createPerson(server);
    const quickReply = '[[answer:lorem]] [[tokens:6]] [[tps:0]] [[first:0]]';
    const { chatId, body } = await send(person, `${'long words '.repeat(800)} ${quickReply}`);
    await waitForEnd(person, body.generation.id);

    const sendIn = async (context: string, text = '') => {
      const word = uniqueWord();
      const sent = await send(person, `${text} ${word} [[context:${context}]] ${quickReply}`, { chatId });
      const view = await waitForEnd(person, sent.body.generation.id);
      const calls = (await gatewayLog(server, word)).map(({ messages }) => messages.length);
      const reply = (await openChat(person, chatId)).messages.at(-1);
      return { view, calls, reply, outcomes: await outcomesOf(sent.body.generation.id) };
    };

    const second = await sendIn('vllm,5000', 'more words '.repeat(800));
    expect(second.view).toMatchObject({ state: 'done', creditsCharged: 1, error: null });
    expect(second.outcomes).toEqual(['context_length', 'stop']);
    expect(second.calls).toEqual([4, 2]);
    expect(second.reply).toMatchObject({ leftOut: 2 });

    const third = await sendIn('counted,2000');
    expect(third).toMatchObject({
      outcomes: ['context_length', 'stop'],
      calls: [4, 2],
      reply: { leftOut: 4 },
    });
    expect(await sendIn('counted,2000')).toMatchObject({ outcomes: ['stop'], reply: { leftOut: 4 } });
    expect(await person.credits()).toBe(6);

    const tooSmall = await sendIn('field,1');
    expect(tooSmall.view).toMatchObject({
      state: 'failed',
      creditsCharged: 0,
      error: { code: 'context_length', message: expect.stringContaining('too long for the model') },
    });
    expect(tooSmall.outcomes).toEqual(['context_length', 'context_length']);
    expect(await person.credits()).toBe(6);
  });

  it.each(['field', 'counted', 'llamacpp', 'vllm', 'openai'])(
    'a message that alone is too long is explained in a sentence (%s)',
    async (form) => {
      const outcome = await run(`[[context:${form},1]]`, { calls: 2 });
      expect(outcome.view.error?.message).toContain(tooLong);
      await expectFailure(outcome, outcome.view.error?.message);
    },
  );

  it('is recognized by a refusal in OpenRouter’s form too', async () => {
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
    'in mode %s ends after its timeout, at the gateway too',
    async (mode, kind, minText, limit) => {
      const outcome = (await silentRuns[mode]) as Outcome;
      await expectFailure(outcome);
      expect(outcome.view.error?.code).toBe(kind);
      expect(outcome.view.text.length).toBeGreaterThanOrEqual(minText);
      expect(outcome.ms).toBeGreaterThan(limit - 1_000);
      expect(outcome.call.clientClosedAt).not.toBeNull();
    },
    90_000,
  );
});

it('every invariant holds', () => expectConsistent(server));
