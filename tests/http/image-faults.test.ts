import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { newChat, readEvents, send, startedReply, stop, textOf, uniqueWord } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { control } from '../support/gateway.ts';
import {
  bytesOf,
  drawImages,
  getJob,
  quick,
  requestImages,
  requests,
  waitForJob,
} from '../support/images.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';
import { metric } from '../support/stalled-readers.ts';

let standIns: RunningStandIns;
let server: TestServer;
beforeAll(async () => {
  standIns = await spawnStandIns();
  server = await startTestServer({
    postgres: inject('postgres'),
    standins: standIns.base,
    env: { RUNNING_AT_ONCE: '100' },
  });
});
afterAll(async () => {
  await server.stop();
  await standIns.remove();
});
afterEach(() => control(server, { creem: { moderation: 'ok' } }));

const small = { size: '512x512' };

async function ledgerOf(person: Person) {
  const { rows } = await server.database.query<{ kind: string; delta: number }>(
    'select kind, delta from credit_ledger where user_id = $1 and generation_id is not null order by id',
    [person.id],
  );
  return rows;
}

describe('credits', () => {
  it.each([
    ['[[mode:ok,500,ok,500]]', 2, 10],
    ['[[mode:500,500,500,ok]]', 1, 5],
    ['[[picture:plain,svg,plain,plain]]', 3, 15],
  ])('are charged for the delivered images of four: %s', async (fault, delivered, charged) => {
    const person = await createPerson(server, { credits: 20 });
    const job = await drawImages(person, { prompt: `${uniqueWord()} ${fault} ${quick}`, count: 4, ...small });
    expect(job).toMatchObject({ state: 'done', made: delivered, creditsCharged: charged, error: null });
    expect(job.pictures).toHaveLength(delivered);
    expect(await person.credits()).toBe(20 - charged);
    expect(await ledgerOf(person)).toEqual([
      { kind: 'hold', delta: -20 },
      { kind: 'settle', delta: 20 - charged },
    ]);
  });

  it('serve one of 20 simultaneous requests with five credits', async () => {
    const person = await createPerson(server, { credits: 5 });
    const word = uniqueWord();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        requestImages(person, { prompt: `${word} ${n} ${quick}`, ...small }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(19);
    for (const { body } of refused)
      expect(body).toMatchObject({
        code: 'credits_exhausted',
        error: 'You need 5 credits to generate an image.',
      });
    await waitUntilIdle(server);
    expect(await requests(server, 'images', word)).toHaveLength(1);
    expect(await person.credits()).toBe(0);
  });

  it('never serve more than ten credits, with messages and images mixed', async () => {
    const person = await createPerson(server, { credits: 10 });
    const word = uniqueWord();
    const chatId = await newChat(person);
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) =>
        n % 3 === 0
          ? { price: 5, ...(await requestImages(person, { prompt: `${word} ${n} ${quick}`, ...small })) }
          : { price: 1, ...(await send(person, `${word} ${n} ${quick} [[tps:0]]`, { chatId })) },
      ),
    );
    const served = answers.filter(({ status }) => status === 202);
    const spent = served.reduce((sum, { price }) => sum + price, 0);
    expect(spent).toBeLessThanOrEqual(10);
    for (const { status } of answers.filter((each) => !served.includes(each))) expect(status).toBe(402);
    await waitUntilIdle(server);
    expect(await person.credits()).toBe(10 - spent);
  });

  it('follow the price table, whatever the body contains', async () => {
    const [person, other] = [await createPerson(server), await createPerson(server)];
    const word = uniqueWord();
    const job = await drawImages(person, {
      prompt: `${word} ${quick}`,
      ...small,
      ...{ cost: 0, price: -5, credits: 1000, units: 0, plan: 'pro', user_id: other.id, userId: other.id },
      ...{ model: 'openai/o1-pro', n: 10, resolution: '4K', seed: 1, url: 'http://127.0.0.1:1/x.png' },
    });
    expect(job).toMatchObject({
      creditsCharged: 5,
      count: 1,
      made: 1,
      model: 'google/gemini-2.5-flash-image',
    });
    const [call] = await requests(server, 'images', word);
    expect(call).toMatchObject({ model: 'google/gemini-2.5-flash-image', detail: { count: 1, size: null } });
    expect([await person.credits(), await other.credits()]).toEqual([5, 10]);
  });

  it('are charged for what is made after the reader has left', async () => {
    const person = await createPerson(server, { credits: 20 });
    const word = uniqueWord();
    const response = await person.send(
      'POST',
      '/api/images',
      { prompt: `${word} [[mode:ok,hold]] ${quick}`, count: 4, ...small },
      { accept: 'text/event-stream', 'idempotency-key': randomUUID() },
    );
    // The reader disconnects after the first picture.
    const events = await readEvents(response, (seen) => textOf(seen).includes('picture'));
    const { generation } = startedReply(events);
    await eventually(async () => {
      await control(server, { release: word });
      return (await getJob(person, generation.id)).state === 'done';
    });
    expect(await getJob(person, generation.id)).toMatchObject({ made: 4, creditsCharged: 20 });
    expect(await person.credits()).toBe(0);
  });

  it('are named for several images, and an unaffordable prompt is not moderated', async () => {
    const person = await createPerson(server, { credits: 9 });
    const word = uniqueWord();
    expect(await requestImages(person, { prompt: word, count: 2 })).toMatchObject({
      status: 402,
      body: { error: 'You need 10 credits to generate 2 images.' },
    });
    expect(await requests(server, 'moderation', word)).toEqual([]);
  });

  it('are not charged on an unlimited plan, where images count against fair use', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const job = await drawImages(person, { prompt: `${uniqueWord()} ${quick}`, count: 2, ...small });
    expect(job).toMatchObject({ made: 2, creditsCharged: 0 });
    await server.database.query(
      `insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, units, owner, text, finished_at)
       select gen_random_uuid(), $1, 'image', 'done', true, 'day', '', 0, 37, 'x', '', app_now()`,
      [person.id],
    );
    await server.database.query(
      `insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id)
       select user_id, 0, k, id, k, id::text from generations, unnest(array['hold', 'settle']) k
        where user_id = $1 and idempotency_key = 'day'`,
      [person.id],
    );
    expect(await requestImages(person, { prompt: uniqueWord(), count: 2 })).toMatchObject({
      status: 429,
      body: { code: 'daily_fair_use' },
    });
    expect((await requestImages(person, { prompt: `${uniqueWord()} ${quick}`, ...small })).status).toBe(202);
    expect(await person.credits()).toBe(10);
  });

  it('are charged once per idempotency key, with one moderation, and another body is refused', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const body = { prompt: `${word} ${quick}`, ...small };
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestImages(person, body, key)));
    expect(new Set(answers.map((each) => `${each.status} ${each.body.job.id}`)).size).toBe(1);
    await waitForJob(person, answers[0]?.body.job.id ?? '');
    expect(await requestImages(person, body, key)).toMatchObject({
      status: 202,
      body: { job: { state: 'done', made: 1 } },
    });
    expect(await requests(server, 'images', word)).toHaveLength(1);
    expect(await requests(server, 'moderation', word)).toHaveLength(1);
    for (const other of [
      { ...body, count: 2 },
      { ...body, size: '768x512' },
      { ...body, prompt: 'else' },
    ])
      expect(await requestImages(person, other, key)).toMatchObject({
        status: 422,
        body: { code: 'key_reused' },
      });
    for (const bad of ['short', 'x'.repeat(201)])
      expect((await requestImages(person, body, bad)).status).toBe(400);
    expect(await person.credits()).toBe(5);
  });
});

describe('stopping', () => {
  it('before anything is made refunds everything, and also stops the gateway', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const { body } = await requestImages(person, { prompt: `${word} [[mode:hold]]`, count: 2, ...small });
    await eventually(async () => (await requests(server, 'images', word)).length === 2);
    await stop(person, body.generation.id);
    expect(await waitForJob(person, body.job.id)).toMatchObject({
      state: 'stopped',
      made: 0,
      creditsCharged: 0,
    });
    await eventually(async () =>
      (await requests(server, 'images', word)).every((call) => call.clientClosedAt),
    );
    expect(await person.credits()).toBe(10);
  });

  it('keeps and charges what was made', async () => {
    const person = await createPerson(server, { credits: 20 });
    const word = uniqueWord();
    const prompt = `${word} [[mode:ok,hold]] ${quick}`;
    const { body } = await requestImages(person, { prompt, count: 4, ...small });
    await eventually(async () => (await getJob(person, body.job.id)).made === 1);
    await stop(person, body.generation.id);
    expect(await waitForJob(person, body.job.id)).toMatchObject({
      state: 'stopped',
      made: 1,
      creditsCharged: 5,
    });
    expect(await person.credits()).toBe(15);
  });
});

describe('a gateway that fails', () => {
  it.each([
    ['[[mode:403]]', 'moderation', /declined this prompt. You were not charged/],
    ['[[picture:blocked]]', 'moderation', /declined this prompt. You were not charged/],
    ['[[mode:500]]', 'http_error', /couldn’t make the image. You were not charged/],
    ['[[mode:402]]', 'payment', /couldn’t make the image: .* won’t help yet.* You were not charged/],
    ['[[mode:404]]', 'http_error', /couldn’t make the image: .* won’t help yet.* You were not charged/],
    ['[[mode:400]]', 'context_length', /can’t work with this prompt. You were not charged/],
    ['[[mode:429]]', 'rate_limited', /couldn’t make the image/],
    ['[[mode:html]]', 'malformed', /couldn’t make the image/],
    ['[[mode:json402]]', 'payment', /couldn’t make the image/],
    ['[[mode:eof]]', 'malformed', /couldn’t make the image/],
    ['[[mode:reset]]', 'truncated', /couldn’t make the image/],
    ['[[picture:none]]', 'malformed', /couldn’t make the image/],
    ['[[picture:url]]', 'malformed', /couldn’t make the image/],
    ['[[picture:number]]', 'malformed', /couldn’t make the image/],
    ['[[picture:nobase64]]', 'picture', /couldn’t make the image/],
    ['[[picture:gif]]', 'picture', /couldn’t make the image/],
    ['[[picture:svg]]', 'picture', /couldn’t make the image/],
    ['[[picture:truncated]]', 'picture', /couldn’t make the image/],
    ['[[picture:damaged]]', 'picture', /couldn’t make the image/],
    ['[[picture:bomb]]', 'picture', /couldn’t make the image/],
    ['[[picture:wide]]', 'picture', /couldn’t make the image/],
    ['[[picture:interlaced]]', 'picture', /couldn’t make the image/],
    ['[[picture:textbomb]]', 'picture', /couldn’t make the image/],
    ['[[picture:long]]', 'event_too_large', /couldn’t make the image/],
  ])('%s costs nothing and is explained', async (fault, code, message) => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const job = await drawImages(person, { prompt: `${word} ${fault} ${quick}`, ...small });
    expect(job).toMatchObject({ state: 'failed', made: 0, creditsCharged: 0, error: { code } });
    expect(job.error?.message).toMatch(message);
    if (/won’t help yet/.test(message.source)) expect(job.error?.message).not.toContain('Try again.');
    const logged = new RegExp(`"generation":"${job.id}".*"kind":"${code}"`);
    await eventually(async () => logged.test(server.output()));
    expect(await person.credits()).toBe(10);
    // Never retried, because a second request would also be charged.
    expect(await requests(server, 'images', word)).toHaveLength(1);
  });

  it.each(['jpeg', 'webp', 'dataurl'])('may send %s', async (kind) => {
    const person = await createPerson(server);
    const job = await drawImages(person, {
      prompt: `${uniqueWord()} [[picture:${kind}]] ${quick}`,
      size: '768x512',
    });
    const png = await bytesOf(person, job.pictures[0]?.id ?? '');
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 768, height: 512 });
    expect(png.length).toBeLessThan(2_000_000);
  });

  it('is not asked again for a prompt that it declined', async () => {
    const person = await createPerson(server, { credits: 20 });
    const word = uniqueWord();
    await drawImages(person, { prompt: `${word} [[mode:403]] ${quick}`, count: 4, ...small });
    expect((await requests(server, 'images', word)).length).toBeLessThanOrEqual(2);
    expect(await person.credits()).toBe(20);
  });

  it.runIf(soak)('does not exceed the memory limit, whatever it sends', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createPerson(server, { credits: 20 })));
    const before = await metric(server, 'process_resident_memory_bytes');
    let peak = before;
    const jobs = Promise.all(
      people.map((person, n) =>
        drawImages(person, {
          prompt: `${uniqueWord()} [[picture:${n % 2 ? 'bomb' : 'textbomb'}]] ${quick}`,
          count: 4,
          ...small,
        }),
      ),
    );
    let finishedAll = false;
    jobs
      .finally(() => {
        finishedAll = true;
      })
      .catch(() => undefined);
    while (!finishedAll) peak = Math.max(peak, await metric(server, 'process_resident_memory_bytes'));
    await jobs;
    expect((peak - before) / 1e6).toBeLessThan(400);
  });

  it.runIf(soak)('may speak OpenAI’s protocol', async () => {
    const other = await startSecondProcess(server, { IMAGE_PROTOCOL: 'openai', IMAGE_MODEL: 'gpt-image-2' });
    try {
      await control(server, { gateway: { strictSizes: true } });
      const person = await createPerson(server);
      const word = uniqueWord();
      const job = await drawImages(personAt(other, person), { prompt: `${word} ${quick}`, size: '768x512' });
      expect(job).toMatchObject({ state: 'done', made: 1, model: 'gpt-image-2' });
      expect(await requests(server, 'images/generations', word)).toMatchObject([
        { detail: { size: '1536x1024', count: 1 } },
      ]);
    } finally {
      await control(server, { gateway: { strictSizes: false } });
      await other.stop();
    }
  });
});

describe('moderation', () => {
  it.each(['deny', 'flag'])('%s: nothing is charged or made', async (decision) => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const answers = await requestImages(person, { prompt: `${word} [[moderation:${decision}]]`, ...small });
    expect(answers).toMatchObject({ status: 400, body: { code: 'prompt_declined' } });
    expect(answers.body.error).toMatch(/don’t allow in images.*You were not charged/);
    expect(await requests(server, 'images', word)).toEqual([]);
    expect([await person.credits(), await ledgerOf(person)]).toEqual([10, []]);
  });

  it('depends on the words of the prompt', async () => {
    const person = await createPerson(server);
    expect((await requestImages(person, { prompt: 'a nude in oil', ...small })).body.code).toBe(
      'prompt_declined',
    );
    const { rows } = await server.database.query('select 1 from image_jobs where user_id = $1', [person.id]);
    expect(rows).toEqual([]);
  });

  it.each(['down', 'status500', 'status429', 'html', 'malformed', 'odd'] as const)(
    'that is %s lets nothing through',
    async (moderation) => {
      const person = await createPerson(server);
      const word = uniqueWord();
      await control(server, { creem: { moderation } });
      const key = randomUUID();
      const answers = await requestImages(person, { prompt: `${word} ${quick}`, ...small }, key);
      expect(answers).toMatchObject({ status: 503, retryAfter: '30', body: { code: 'check_unavailable' } });
      expect(await requests(server, 'images', word)).toEqual([]);
      expect(await ledgerOf(person)).toEqual([]);
      // The same request succeeds once moderation answers.
      await control(server, { creem: { moderation: 'ok' } });
      expect((await requestImages(person, { prompt: `${word} ${quick}`, ...small }, key)).status).toBe(202);
    },
  );

  it.runIf(soak)('that does not answer is given up after five seconds', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    await control(server, { creem: { moderation: 'slow' } });
    const at = performance.now();
    expect((await requestImages(person, { prompt: word, ...small })).body.code).toBe('check_unavailable');
    expect(performance.now() - at).toBeGreaterThan(4_500);
    expectWithin(performance.now() - at, 7_000);
    await control(server, { release: word });
  });
});

describe('kill -9', () => {
  it.runIf(soak)('during a run refunds everything and keeps finished images', async () => {
    const env = { RUNNING_AT_ONCE: '100' };
    const options = {
      postgres: inject('postgres'),
      standins: standIns.base,
      databaseUrl: server.databaseUrl,
      env,
    };
    const killed = await startTestServer({ ...options, dataDir: server.dataDir });
    const person = await createPerson(server, { credits: 20 });
    const word = uniqueWord();
    const key = randomUUID();
    const body = { prompt: `${word} [[mode:ok,hold]] ${quick}`, count: 4, ...small };
    const { body: started } = await requestImages(personAt(killed, person), body, key);
    await eventually(async () => (await getJob(person, started.job.id)).made === 1);
    await killed.kill();
    const job = await waitForJob(person, started.job.id);
    expect(job).toMatchObject({ state: 'interrupted', made: 1, creditsCharged: 0 });
    expect(await sharp(await bytesOf(person, job.pictures[0]?.id ?? '')).metadata()).toMatchObject({
      width: 512,
    });
    expect(await person.credits()).toBe(20);
    // The same idempotency key returns the same run: nothing is made or charged again.
    expect((await requestImages(person, body, key)).body.job).toMatchObject({
      id: started.job.id,
      state: 'interrupted',
    });
    expect(await person.credits()).toBe(20);
    await killed.database.end();
  });
});

it('every invariant holds', () => expectConsistent(server));
