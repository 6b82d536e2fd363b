import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Dictation } from '#features/dictation/contract.ts';
import { mp3File, mp4File, oggFile, webmFile } from '#platform/audio/audio.fixture.ts';
import { silentWav } from '#platform/audio/silent-wav.server.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { runJob } from '../support/files.ts';
import { control } from '../support/gateway.ts';
import { client, createPerson, type Person, personAt } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';

const env = { TRANSCRIPTION_MODEL: 'openai/whisper-1', RUNNING_AT_ONCE: '4' };

let standIns: RunningStandIns;
let server: TestServer;
beforeAll(async () => {
  standIns = await spawnStandIns();
  server = await startTestServer({ postgres: inject('postgres'), env, standins: standIns.base });
  await control(server, { firstTokenMs: 0 });
});
afterEach(() => control(server, { reset: true, firstTokenMs: 0 }));
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
  await standIns.remove();
});

interface Answer {
  status: number;
  body: Dictation & { error: string; code: string };
}

interface Sending {
  key?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  at?: TestServer;
}

/** Content sent as a recording. */
type Body = Buffer | string | ReadableStream;

const post = (
  person: Pick<Person, 'cookie'>,
  audio: Body,
  { key = randomUUID(), signal, headers, at = server }: Sending = {},
) =>
  fetch(`${at.url}/api/dictations`, {
    method: 'POST',
    body: audio as BodyInit,
    signal: signal ?? null,
    headers: { cookie: person.cookie, origin: at.url, 'idempotency-key': key, ...headers },
    ...(audio instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);

async function dictate(person: Pick<Person, 'cookie'>, audio: Body, options: Sending = {}): Promise<Answer> {
  const response = await post(person, audio, options);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const runsOf = async (person: Person, site = server) =>
  (
    await site.database.query<{
      id: string;
      state: string;
      input: object;
      text: string;
      released: boolean;
      error_code: string | null;
    }>(
      `select id, state, input, text, released, error_code from generations where user_id = $1 order by created_at`,
      [person.id],
    )
  ).rows;

describe('a recording', () => {
  test('becomes a text, is charged once, and its call is recorded with its cost', async () => {
    const person = await createPerson(server);
    const audio = webmFile(3);
    const { status, body } = await dictate(person, audio);
    expect([status, body]).toEqual([
      200,
      {
        text: `This is a stand-in, which cannot hear: it got ${audio.length} bytes of webm.`,
        creditsUsed: 1,
        credits: 9,
      },
    ]);
    expect(await person.credits()).toBe(9);
    const { rows } = await server.database.query(
      `select c.purpose, c.model, c.outcome, c.cost_micros > 0 as costs, c.cost_estimated from gateway_calls c
         join generations g on g.id = c.generation_id where g.user_id = $1`,
      [person.id],
    );
    const call = { purpose: 'dictation', model: env.TRANSCRIPTION_MODEL, outcome: 'stop' };
    expect(rows).toEqual([{ ...call, costs: true, cost_estimated: false }]);
    const { entries } = (await (await person.get('/api/me/ledger')).json()) as {
      entries: { feature: string }[];
    };
    expect(entries.map(({ feature }) => feature)).toContain('dictation');
  });

  test('is priced by its length if the gateway does not report the cost', async () => {
    const person = await createPerson(server);
    await control(server, { gateway: { mode: 'nousage' } });
    expect((await dictate(person, oggFile(60))).status).toBe(200);
    const { rows } = await server.database.query(
      `select c.cost_micros::int as micros, c.cost_estimated from gateway_calls c
         join generations g on g.id = c.generation_id where g.user_id = $1`,
      [person.id],
    );
    expect(rows).toEqual([{ micros: 6_000, cost_estimated: true }]);
  });

  test('is stored nowhere: the row of its run has only kind and length, and the text is deleted within two hours', async () => {
    const person = await createPerson(server);
    const key = randomUUID();
    const audio = silentWav(2);
    await control(server, { says: 'Words of nobody else' });
    expect((await dictate(person, audio, { key })).body.text).toBe('Words of nobody else');
    const [run] = await runsOf(person);
    expect(run).toMatchObject({ state: 'done', input: { kind: 'wav', bytes: audio.length, seconds: 2 } });
    const uploads = join(server.dataDir, 'uploads');
    expect(existsSync(uploads) ? readdirSync(uploads) : []).toEqual([]);
    expect(server.output()).not.toContain('Words of nobody else');
    // The response was lost: a repeated request gets the text and is not charged again.
    expect((await dictate(person, audio, { key })).body).toMatchObject({
      text: 'Words of nobody else',
      credits: 9,
    });
    expect((await dictate(person, silentWav(1), { key })).body.code).toBe('key_reused');
    await server.database.query(
      `update generations set finished_at = finished_at - interval '61 minutes' where user_id = $1`,
      [person.id],
    );
    await runJob(server, 'erase-dictations');
    await eventually(async () => (await runsOf(person))[0]?.text === '');
    expect(await dictate(person, audio, { key })).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(await person.credits()).toBe(9);
  });

  test.each([
    ['webm', webmFile(1)],
    ['ogg', oggFile(1)],
    ['mp4', mp4File(1)],
    ['wav', silentWav(1)],
    ['mp3', mp3File(1)],
  ])('of kind %s is recognized by its bytes, whatever type it claims', async (kind, audio) => {
    const person = await createPerson(server, { plan: 'pro' });
    const { body } = await dictate(person, audio, { headers: { 'content-type': 'image/png' } });
    expect(body).toMatchObject({ creditsUsed: 0, credits: null });
    expect(body.text).toContain(`bytes of ${kind}.`);
  });

  test('becomes plain text, whatever control characters the gateway sends', async () => {
    const person = await createPerson(server);
    await control(server, { gateway: { mode: 'control' } });
    const { body } = await dictate(person, webmFile(1));
    expect(body.text).toMatch(/AB .*x \[31m\nright/s);
    expect(body.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });
});

/** A body without a Content-Length. */
const streamed = (bytes: Buffer) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
      controller.close();
    },
  });

test.each<[string, () => Body, number, string, RegExp]>([
  ['nothing', () => '', 400, 'bad_request', /No speech was recognized/],
  ['no packet', () => webmFile(0), 400, 'bad_request', /No speech was recognized/],
  ['a page', () => '<!doctype html><script>alert(1)</script>', 415, 'unsupported_type', /can’t be read/],
  ['an image', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 415, 'unsupported_type', /can’t be read/],
  ['Vorbis', () => webmFile(1, 'A_VORBIS'), 415, 'unsupported_type', /can’t be read/],
  ['130 s', () => webmFile(130), 413, 'too_large', /up to 2 minutes long/],
  ['10 minutes that claim to be short', () => mp4File(600, 4e9), 413, 'too_large', /up to 2 minutes/],
  ['4 MiB and a byte', () => Buffer.alloc(4 * 1024 * 1024 + 1), 413, 'too_large', /up to 2 minutes/],
  [
    'as much in pieces',
    () => streamed(Buffer.alloc(4 * 1024 * 1024 + 1)),
    413,
    'too_large',
    /up to 2 minutes/,
  ],
])('%s is refused before anything is charged', async (_, audio, status, code, message) => {
  const person = await createPerson(server);
  const answer = await dictate(person, audio());
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.error).toMatch(message);
  expect(await runsOf(person)).toEqual([]);
  expect(await person.credits()).toBe(10);
});

test('guests, people without credits, and bad keys are refused', async () => {
  expect((await dictate({ cookie: '' }, webmFile(1))).status).toBe(401);
  const withoutCredits = await createPerson(server, { credits: 0 });
  expect(await dictate(withoutCredits, webmFile(1))).toMatchObject({
    status: 402,
    body: { code: 'credits_exhausted' },
  });
  expect((await dictate(await createPerson(server), webmFile(1), { key: 'short' })).status).toBe(400);
});

test.each<[string, number, RegExp, string]>([
  ['nullcontent', 400, /No speech was recognized, and nothing was charged/, 'empty'],
  ['nochoices', 503, /encountered an error/, 'malformed'],
  ['html', 503, /encountered an error/, 'malformed'],
  ['hugeline', 503, /encountered an error/, 'event_too_large'],
  ['eof', 503, /encountered an error/, 'malformed'],
  ['reset', 503, /encountered an error/, 'truncated'],
  ['json402', 503, /./, 'payment'],
  ['429', 503, /encountered an error/, 'rate_limited'],
  ['500', 503, /encountered an error/, 'http_error'],
  ['403', 503, /declined/, 'moderation'],
])('%s of the gateway is explained, and everything is refunded', async (mode, status, message, failure) => {
  const person = await createPerson(server);
  await control(server, { gateway: { mode } });
  const answer = await dictate(person, webmFile(1));
  expect(answer.status).toBe(status);
  expect(answer.body.error).toMatch(message);
  expect(await runsOf(person)).toMatchObject([{ state: 'failed', error_code: failure }]);
  expect(await person.credits()).toBe(10);
});

test('a person who leaves ends the run, and pays nothing', async () => {
  const person = await createPerson(server);
  await control(server, { gateway: { mode: 'hold' } });
  const leaving = new AbortController();
  const answer = dictate(person, webmFile(1), { signal: leaving.signal });
  await eventually(async () => (await runsOf(person)).length === 1);
  expect(await person.credits()).toBe(9);
  // Meanwhile no other recording of this person is accepted.
  expect(await dictate(person, webmFile(1))).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  leaving.abort();
  await expect(answer).rejects.toThrow('aborted');
  await eventually(async () => (await runsOf(person))[0]?.state === 'stopped');
  expect(await person.credits()).toBe(10);
});

test('without a model there is no dictation, and no page may use the microphone', async () => {
  const other = await borrowServer(inject('servers'));
  try {
    const person = await createPerson(other);
    expect((await dictate(person, webmFile(1), { at: other })).body.code).toBe('tool_off');
    const permissions = async (at: TestServer) =>
      (await client(at).get('/chat/new', { accept: 'text/html' })).headers.get('permissions-policy');
    expect(await permissions(other)).toContain('microphone=()');
    expect(await permissions(server)).toContain('microphone=(self)');
  } finally {
    await other.stop();
  }
});

test('attempts in an hour are counted, refused ones too', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  await server.database.query(
    `insert into rate_limits (key, count, resets_at) values ($1, 120, app_now() + interval '50 minutes')`,
    [`dictations:${person.id}`],
  );
  expect(await dictate(person, webmFile(1))).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
});

test.runIf(soak)(
  'a server that is killed during a call refunds everything, and restarts nothing',
  async () => {
    const person = await createPerson(server);
    await control(server, { gateway: { mode: 'hold' } });
    const lostAnswer = expect(dictate(person, webmFile(1))).rejects.toThrow();
    await eventually(async () => (await runsOf(person)).length === 1);
    await server.kill();
    await lostAnswer;
    const next = await startTestServer({
      postgres: inject('postgres'),
      databaseUrl: server.databaseUrl,
      env,
      standins: standIns.base,
    });
    const killed = server;
    server = next;
    const [run] = await runsOf(person, next);
    expect(await waitForEnd(personAt(next, person), run?.id ?? '')).toMatchObject({
      state: 'interrupted',
      creditsCharged: 0,
    });
    expect(await person.credits()).toBe(10);
    await killed.stop();
  },
);

const pricing = async () => (await client(server).get('/pricing')).text();

test('a hundred simultaneous recordings exceed no limit: neither running ones nor those of a day, on either plan', async () => {
  expect(await pricing()).toContain('a recording of up to 2 minutes costs 1 credit');
  await changeSetting([server], ['set', 'limits.fairUse.dictation', '5']);
  await changeSetting([server], ['set', 'tool.dictation.price', '0']);
  for (const plan of ['pro', 'free'] as const) {
    const person = await createPerson(server, { plan });
    const audio = webmFile(1);
    const first = await Promise.all(Array.from({ length: 100 }, () => dictate(person, audio)));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200, 429]));
    let last = first[0];
    for (let extra = 0; extra < 8 && last?.body.code !== 'daily_fair_use'; extra++)
      last = await dictate(person, audio);
    expect(last).toMatchObject({ status: 429, body: { code: 'daily_fair_use' } });
    expect(await runsOf(person)).toHaveLength(5);
    expect(await person.credits()).toBe(10);
  }
});

test('the operator can switch it off while the site runs', async () => {
  await changeSetting([server], ['set', 'tool.dictation.on', 'false']);
  const person = await createPerson(server);
  expect(await dictate(person, webmFile(1))).toMatchObject({ status: 403, body: { code: 'tool_off' } });
  expect(await pricing()).not.toContain('a recording of up to');
});
