import { parse } from 'exifr';
import { XMLParser } from 'fast-xml-parser';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { follow, readEvents, startedReply, textOf, uniqueWord } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { runJob } from '../support/files.ts';
import {
  bytesOf,
  drawImages,
  gallery,
  getJob,
  pngTexts,
  quick,
  requestImages,
  requests,
} from '../support/images.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { moveClock } from '../support/visitor.ts';
import { unzip } from '../support/zip.ts';

const DAY = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());
afterEach(() => moveClock(server, 0));

const filesOf = async (person: Person) => {
  const { rows } = await server.database.query<{ keys: string[] }>(
    `select array[p.file_key, p.small_key, p.medium_key] as keys from image_pictures p join image_jobs j on j.id = p.job_id
      where j.user_id = $1`,
    [person.id],
  );
  return rows.flatMap(({ keys }) => keys);
};

describe('a picture', () => {
  it.each([
    ['512x512', 512, 512],
    ['768x512', 768, 512],
    ['1024x1024', 1024, 1024],
  ])('of %s has exactly this size, with its previews', async (size, width, height) => {
    const person = await createPerson(server);
    const job = await drawImages(person, { prompt: `a red fox in snow ${quick}`, size });
    const [picture] = job.pictures;
    expect(picture).toMatchObject({ position: 0, width, height });
    const png = await bytesOf(person, picture?.id ?? '');
    const pngMetadata = await sharp(png).metadata();
    expect(pngMetadata).toMatchObject({ format: 'png', width, height });
    expect(png.length).toBe(picture?.bytes);
    for (const previewWidth of [320, 640]) {
      const preview = await sharp(await bytesOf(person, picture?.id ?? '', `?w=${previewWidth}`)).metadata();
      expect(preview).toMatchObject({ format: 'webp', width: Math.min(previewWidth, width) });
      expect((preview.width ?? 0) / (preview.height ?? 1)).toBeCloseTo(width / height, 2);
    }
    expect(await person.credits()).toBe(5);
  });

  it('contains metadata about its creation, and nothing else', async () => {
    const person = await createPerson(server);
    const prompt = `Ein „Fuchs" & <b>Schnee</b> 🦊 ${quick} [[picture:jpeg]]`;
    const job = await drawImages(person, { prompt, size: '512x512' });
    const png = await bytesOf(person, job.pictures[0]?.id ?? '');
    const texts = pngTexts(png);
    expect([...texts.keys()]).toEqual([
      'Description',
      'Software',
      'Creation Time',
      'Source',
      'XML:com.adobe.xmp',
    ]);
    expect(texts.get('Description')).toBe(prompt);
    expect(texts.get('Software')).toContain(job.model);
    expect(texts.get('Source')).toBe('AI-generated image');
    expect(Math.abs(Date.parse(texts.get('Creation Time') ?? '') - Date.parse(job.createdAt))).toBeLessThan(
      60_000,
    );
    expect(await parse(png, { xmp: true, mergeOutput: true })).toMatchObject({
      DigitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
      AISystemUsed: job.model,
      CreatorTool: expect.stringContaining(job.model),
    });
    // exifr does not decode XML entities.
    const xmp = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
      texts.get('XML:com.adobe.xmp') ?? '',
    ) as { 'x:xmpmeta': { 'rdf:RDF': { 'rdf:Description': Record<string, string> } } };
    const facts = xmp['x:xmpmeta']['rdf:RDF']['rdf:Description'];
    expect(facts['Iptc4xmpExt:AIPromptInformation']).toBe(prompt);
    // The gateway's JPEG has a name in its EXIF data.
    expect(png.includes('Someone')).toBe(false);
    expect((await sharp(png).metadata()).exif).toBeUndefined();
  });

  it('is sent only to its owner, and revalidated each time', async () => {
    const [person, otherPerson] = [await createPerson(server), await createPerson(server)];
    const job = await drawImages(person, { prompt: `Blue "sea": at/night ${quick}`, size: '512x512' });
    const path = `/api/images/pictures/${job.pictures[0]?.id}`;
    const answer = await person.get(`${path}?download`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="blue-sea-at-night-first-0-[0-9a-f]{8}\.png"/,
      ),
    });
    expect((await person.get(path)).headers.get('content-disposition')).toMatch(/^inline/);
    const conditional = { 'if-none-match': answer.headers.get('etag') ?? '' };
    expect((await person.get(path, conditional)).status).toBe(304);
    expect((await otherPerson.get(path, conditional)).status).toBe(404);
    expect((await otherPerson.get(path)).status).toBe(404);
    expect((await client(server).get(path)).status).toBe(401);
    for (const [method, target] of [
      ['GET', `/api/images/${job.id}`],
      ['DELETE', `/api/images/${job.id}`],
      ['POST', `/api/images/${job.id}/restore`],
      ['DELETE', path],
      ['POST', `${path}/restore`],
    ] as const)
      expect((await otherPerson.send(method, target)).status, target).toBe(404);
    expect((await gallery(otherPerson)).jobs).toEqual([]);
    expect((await getJob(person, job.id)).pictures).toHaveLength(1);
  });
});

describe('a request', () => {
  it('is validated as the specification requires', async () => {
    const person = await createPerson(server);
    for (const prompt of ['', '  \n ', '\0'])
      expect((await requestImages(person, { prompt })).body).toMatchObject({
        code: 'bad_request',
        error: 'Please enter a prompt for image generation.',
      });
    for (const body of [
      { prompt: 'x', size: '2048x2048' },
      { prompt: 'x', count: 0 },
      { prompt: 'x', count: 5 },
      { prompt: 'x', count: 1.5 },
      { prompt: 'x'.repeat(4_001) },
      { size: '512x512' },
    ])
      expect((await requestImages(person, body)).status, JSON.stringify(body)).toBe(400);
    expect((await requestImages(client(server), { prompt: 'x' })).status).toBe(401);
    expect(await person.credits()).toBe(10);
  });

  it('makes one call per picture, each with its row and cost, and streams its steps to every reader', async () => {
    const person = await createPerson(server, { credits: 20 });
    const word = uniqueWord();
    const response = await person.send(
      'POST',
      '/api/images',
      { prompt: `${word} ${quick}`, size: '768x512', count: 4 },
      { accept: 'text/event-stream', 'idempotency-key': word.repeat(2) },
    );
    const events = await readEvents(response);
    const { generation } = startedReply(events);
    const steps = textOf(events)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { position: number; picture: { id: string } });
    expect(steps.map(({ position }) => position).sort()).toEqual([0, 1, 2, 3]);
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      data: { state: 'done', creditsCharged: 20, credits: 0 },
    });
    const job = await getJob(person, generation.id);
    expect(job).toMatchObject({ state: 'done', count: 4, made: 4, creditsCharged: 20 });
    expect(job.pictures.map(({ id }) => id).sort()).toEqual(steps.map(({ picture }) => picture.id).sort());
    // A reader that connects later gets the same events.
    expect(textOf(await follow(person, generation.id))).toBe(textOf(events));
    const calls = await requests(server, 'images', word);
    expect(calls).toHaveLength(4);
    const { rows } = await server.database.query<Record<string, unknown>>(
      'select id, model, outcome, cost_micros from gateway_calls where generation_id = $1',
      [generation.id],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(calls.map(({ requestId }) => requestId).sort());
    for (const row of rows) {
      expect(row).toMatchObject({ model: 'google/gemini-2.5-flash-image', outcome: 'stop' });
      expect(Number(row.cost_micros)).toBeGreaterThan(0);
    }
  });
});

describe('the gallery', () => {
  it('is sorted newest first, paged, filtered by size, and searched by words of the prompt', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const other = await createPerson(server, { plan: 'pro' });
    await drawImages(other, { prompt: `lighthouse of another ${quick}`, size: '512x512' });
    await server.database.query(
      `with g as (
         insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, text, finished_at)
         select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'image', 'failed', true, 'made-' || n, '', 0, 'x', '', app_now()
           from generate_series(1, 30) n returning id),
       l as (insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id)
         select $1, 0, k, id, k, id::text from g, unnest(array['hold', 'release']) k)
       insert into image_jobs (id, user_id, prompt, size, count, model)
       select id, $1, 'old 100%_' || right(id::text, 2), case when right(id::text, 1) = '1' then '768x512' else '512x512' end, 1, 'm' from g`,
      [person.id],
    );
    const newest = await drawImages(person, { prompt: `The Lighthouse at dusk ${quick}`, size: '512x512' });
    const first = await gallery(person);
    expect(first.jobs[0]?.id).toBe(newest.id);
    expect(first.jobs).toHaveLength(12);
    const second = await gallery(person, `?before=${first.next}`);
    const third = await gallery(person, `?before=${second.next}`);
    const ids = [first, second, third].flatMap(({ jobs }) => jobs.map(({ id }) => id));
    expect([third.next, new Set(ids).size]).toEqual([null, 31]);
    expect([...ids].sort().reverse()).toEqual(ids);
    expect((await gallery(person, '?q=LIGHT%20dusk')).jobs.map(({ id }) => id)).toEqual([newest.id]);
    expect((await gallery(person, '?q=light%20dawn')).jobs).toEqual([]);
    expect((await gallery(person, '?q=%25_1e')).jobs).toHaveLength(1);
    expect((await gallery(person, '?q=%255')).jobs).toEqual([]);
    const wideJobs = await gallery(person, '?size=768x512');
    expect(wideJobs.jobs.map(({ size }) => size)).toEqual(['768x512', '768x512']);
    expect((await gallery(person, '?size=nonsense&before=nonsense')).jobs).toHaveLength(12);
  });
});

describe('deleting', () => {
  it('can be undone for seven days, then removes prompt and files', async () => {
    const person = await createPerson(server);
    const job = await drawImages(person, { prompt: `to be deleted ${quick}`, size: '512x512' });
    const path = `/api/images/${job.id}`;
    const picture = `/api/images/pictures/${job.pictures[0]?.id}`;
    expect((await person.send('DELETE', path)).status).toBe(204);
    for (const deletedPath of [path, picture]) expect((await person.get(deletedPath)).status).toBe(404);
    expect((await gallery(person)).jobs).toEqual([]);
    const restored = await person.send('POST', `${path}/restore`);
    expect([restored.status, await restored.json()]).toEqual([200, job]);
    expect((await person.get(picture)).status).toBe(200);
    await person.send('DELETE', path);
    await moveClock(server, 8 * DAY);
    expect((await person.send('POST', `${path}/restore`)).status).toBe(404);
    expect(await filesOf(person)).toHaveLength(3);
    await runJob(server, 'purge-deleted-images');
    expect(await filesOf(person)).toEqual([]);
    const { rows } = await server.database.query('select 1 from image_jobs where id = $1', [job.id]);
    expect(rows).toEqual([]);
  });

  it('all pictures at once removes the request too', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    for (let round = 0; round < 5; round += 1) {
      const job = await drawImages(person, { prompt: `at once ${quick}`, size: '512x512', count: 2 });
      const deletions = job.pictures.map(({ id }) => person.send('DELETE', `/api/images/pictures/${id}`));
      expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual([204, 204]);
      expect((await gallery(person)).jobs).toEqual([]);
    }
  });

  it('removes one of two pictures, and the request with the last one', async () => {
    const person = await createPerson(server);
    const job = await drawImages(person, { prompt: `two of them ${quick}`, size: '512x512', count: 2 });
    const [one, two] = job.pictures.map(({ id }) => `/api/images/pictures/${id}`);
    expect((await person.send('DELETE', one ?? '')).status).toBe(204);
    expect((await person.send('DELETE', one ?? '')).status).toBe(404);
    expect((await getJob(person, job.id)).pictures.map(({ position }) => position)).toEqual([1]);
    await person.send('DELETE', two ?? '');
    expect((await gallery(person)).jobs).toEqual([]);
    const restored = await person.send('POST', `${two}/restore`);
    expect(await restored.json()).toMatchObject({ id: job.id, made: 2, pictures: [{ position: 1 }] });
    await moveClock(server, 8 * DAY);
    await runJob(server, 'purge-deleted-images');
    expect(await filesOf(person)).toHaveLength(3);
  });

  it('a running request stops it and refunds what was not made', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const started = await requestImages(person, {
      prompt: `${word} [[mode:ok,hold]] ${quick}`,
      size: '512x512',
      count: 2,
    });
    await eventually(async () => (await getJob(person, started.body.job.id)).made === 1);
    expect((await person.send('DELETE', `/api/images/${started.body.job.id}`)).status).toBe(204);
    await eventually(async () => (await person.credits()) === 5);
    const restored = await person.send('POST', `/api/images/${started.body.job.id}/restore`);
    expect(await restored.json()).toMatchObject({ state: 'stopped', creditsCharged: 5, pictures: [{}] });
  });
});

describe('stored pictures of a person', () => {
  it('are in the data export, one by one', async () => {
    const person = await createPerson(server);
    const job = await drawImages(person, { prompt: `a harbour ${quick}`, size: '512x512', count: 2 });
    const files = unzip(Buffer.from(await (await person.get('/api/me/export')).arrayBuffer()));
    const { images } = JSON.parse(files.get('export.json')?.toString() ?? '') as {
      images: Array<{ prompt: string; pictures: Array<{ file: string; id: string }> }>;
    };
    expect(images).toMatchObject([{ prompt: job.prompt, size: '512x512', count: 2 }]);
    for (const { file, id } of images[0]?.pictures ?? [])
      expect(files.get(file)?.equals(await bytesOf(person, id))).toBe(true);
    expect(images[0]?.pictures).toHaveLength(2);
  });

  it('are erased with the account', async () => {
    const person = await createPerson(server);
    await drawImages(person, { prompt: `a secret ${quick}`, size: '512x512' });
    expect(await filesOf(person)).toHaveLength(3);
    await server.database.query('update users set deleted_at = app_now() where id = $1', [person.id]);
    await moveClock(server, 31 * DAY);
    await runErasure(server);
    const { rows } = await server.database.query('select 1 from image_jobs where user_id = $1', [person.id]);
    expect(rows).toEqual([]);
    expect(await filesOf(person)).toEqual([]);
  });

  it('are limited to a gigabyte', async () => {
    const person = await createPerson(server);
    const job = await drawImages(person, { prompt: `large ${quick}`, size: '512x512' });
    const setBytes = (bytes: number) =>
      server.database.query('update image_pictures set bytes = $2 where job_id = $1', [job.id, bytes]);
    await setBytes(1024 ** 3);
    expect(await requestImages(person, { prompt: 'one more' })).toMatchObject({
      status: 413,
      body: { code: 'too_large' },
    });
    expect(await person.credits()).toBe(5);
    await setBytes(job.pictures[0]?.bytes ?? 1);
  });
});

it('every invariant holds', () => expectConsistent(server));
