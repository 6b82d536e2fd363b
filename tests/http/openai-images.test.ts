import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createKey, listKeys, openaiClient, refusalOf } from '../support/api-keys.ts';
import { uniqueWord } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { untilWaiting } from '../support/gate.ts';
import { release } from '../support/gateway.ts';
import { gallery, quick, requests } from '../support/images.ts';
import { createPerson } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

async function createCaller(credits = 20, keyOptions = {}) {
  const person = await createPerson(server, { credits });
  const { key, secret } = await createKey(person, keyOptions);
  return { person, key, openai: openaiClient(server, secret) };
}

const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format };
};

test('a picture is returned as base64 at the price of the Image Generator, and is in the person’s gallery', async () => {
  const { person, openai, key } = await createCaller();
  const { data: models } = await openai.models.list();
  const model = models.at(-1)?.id ?? '';
  const answer = await openai.images.generate({
    model,
    prompt: `A lake ${uniqueWord()} ${quick}`,
    n: 2,
    size: '512x512',
    response_format: 'b64_json',
    quality: 'standard',
    user: 'somebody',
  });
  const pictures = (answer.data ?? []).map(({ b64_json }) => Buffer.from(b64_json ?? '', 'base64'));
  expect(await Promise.all(pictures.map(sizeOf))).toEqual(
    Array(2).fill({ width: 512, height: 512, format: 'png' }),
  );
  expect(await person.credits()).toBe(10);
  expect(await listKeys(person)).toMatchObject([{ id: key.id, month: { runs: 1, credits: 10 } }]);
  expect((await gallery(person)).jobs).toMatchObject([{ made: 2 }]);
});

test('a picture’s URL needs no key, is valid for an hour and serves nothing else', async () => {
  const { person, openai } = await createCaller();
  const { data } = await openai.images.generate({ prompt: `A hill ${uniqueWord()} ${quick}` });
  const url = data?.[0]?.url ?? '';
  const picture = await fetch(url);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(await sizeOf(Buffer.from(await picture.arrayBuffer()))).toMatchObject({ width: 1024 });
  const link = new URL(url);
  const until = Number(link.searchParams.get('until'));
  expect(until - Date.now() / 1000).toBeGreaterThan(3_500);
  expect(until - Date.now() / 1000).toBeLessThanOrEqual(3_600);
  const changed: [string, string][] = [
    ['until', String(until + 1)],
    ['until', '0'],
    ['signature', ''],
    ['signature', `${link.searchParams.get('signature')}A`],
  ];
  for (const [name, value] of changed) {
    const other = new URL(url);
    other.searchParams.set(name, value);
    expect((await fetch(other)).status, `${name}=${value}`).toBe(404);
  }
  expect((await fetch(url.replace(/files\/[^?]+/, `files/${randomUUID()}`))).status).toBe(404);
  const [job] = (await gallery(person)).jobs;
  await person.send('DELETE', `/api/images/${job?.id}`);
  expect((await fetch(url)).status).toBe(404);
});

test('unsupported, declined or unpaid requests are refused, and nothing is charged', async () => {
  const { person, openai } = await createCaller(4);
  const prompt = `A tree ${quick}`;
  const cases: [body: object, status: number, code: string, param: string | null][] = [
    [{ model: 'dall-e-none' }, 404, 'model_not_found', 'model'],
    [{ n: 9 }, 400, 'invalid_value', 'n'],
    [{ size: '1792x1024' }, 400, 'invalid_value', 'size'],
    [{ prompt: 7 }, 400, 'invalid_value', 'prompt'],
    [{ prompt: ' ' }, 400, 'bad_request', null],
    [{ quality: 'hd' }, 400, 'unsupported_parameter', 'quality'],
    [{ background: 'transparent' }, 400, 'unsupported_parameter', 'background'],
    [{}, 429, 'insufficient_quota', null],
  ];
  for (const [body, status, code, param] of cases) {
    const refused = await refusalOf(openai.images.generate({ prompt, ...body }));
    expect([refused.status, refused.code, refused.param ?? null], JSON.stringify(body)).toEqual([
      status,
      code,
      param,
    ]);
  }
  const funded = await createCaller();
  expect(
    await refusalOf(funded.openai.images.generate({ prompt: `A tree [[moderation:deny]] ${quick}` })),
  ).toMatchObject({ status: 400, code: 'content_policy_violation' });
  expect(
    await refusalOf(funded.openai.images.generate({ prompt: `A tree [[mode:500]] ${quick}` })),
  ).toMatchObject({ status: 503, type: 'server_error' });
  expect([await person.credits(), await funded.person.credits()]).toEqual([4, 20]);
});

test('a key without the scope, and one above its ceiling, generate nothing', async () => {
  const chat = await createCaller(20, { scopes: ['chat'] });
  const prompt = `A sea ${uniqueWord()} ${quick}`;
  expect(await refusalOf(chat.openai.images.generate({ prompt }))).toMatchObject({ code: 'missing_scope' });
  const limited = await createCaller(20, { ceiling: 9 });
  expect((await limited.openai.images.generate({ prompt })).data?.length).toBe(1);
  expect(await refusalOf(limited.openai.images.generate({ prompt }))).toMatchObject({
    status: 429,
    code: 'insufficient_quota',
  });
  expect(await requests(server, 'images', prompt)).toHaveLength(1);
});

test('an Idempotency-Key returns the same pictures for a repeated request', async () => {
  const { person, openai } = await createCaller();
  const body = { prompt: `A road ${uniqueWord()} ${quick}`, response_format: 'b64_json' } as const;
  const options = { headers: { 'Idempotency-Key': randomUUID() } };
  const [one, other] = await Promise.all([
    openai.images.generate(body, options),
    openai.images.generate(body, options),
  ]);
  expect(other.data).toEqual(one.data);
  expect(await person.credits()).toBe(15);
  expect(await refusalOf(openai.images.generate({ ...body, n: 2 }, options))).toMatchObject({ status: 422 });
});

test('a client that disconnects ends the run, and is not charged for what was not made', async () => {
  const { person, openai } = await createCaller();
  const abort = new AbortController();
  const prompt = `A field ${uniqueWord()} [[mode:hold]]`;
  const request = refusalOf(openai.images.generate({ prompt }, { signal: abort.signal }));
  await eventually(async () => (await requests(server, 'images', prompt)).length === 1);
  abort.abort();
  await request;
  await eventually(async () => (await person.credits()) === 20);
});

test('a client that disconnects does not end the run of another request with its Idempotency-Key', async () => {
  const { person, openai } = await createCaller();
  const prompt = `A harbor ${uniqueWord()} [[mode:hold]]`;
  const headers = { 'Idempotency-Key': randomUUID() };
  const abort = new AbortController();
  // The lock makes both requests wait; they are then admitted in order of arrival.
  const lock = await server.database.connect();
  try {
    await lock.query('begin');
    await lock.query('select 1 from users where id = $1 for no key update', [person.id]);
    const first = openai.images.generate({ prompt }, { headers });
    await untilWaiting(server, 1, 'admit_generation');
    const second = refusalOf(openai.images.generate({ prompt }, { headers, signal: abort.signal }));
    await untilWaiting(server, 2, 'admit_generation');
    await lock.query('commit');
    await eventually(async () => (await requests(server, 'images', prompt)).length === 1);
    abort.abort();
    await second;
    expect(await person.credits()).toBe(15);
    await release(server, prompt);
    expect((await first).data).toHaveLength(1);
  } finally {
    await lock.query('rollback');
    lock.release();
  }
});
