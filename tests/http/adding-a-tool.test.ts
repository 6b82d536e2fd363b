import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { GenerationView } from '#features/generations/contract.ts';
import { gatewayLog, noDelay, uniqueWord } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { raw } from '../support/gateway.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { buildServer, copyWithSteps, readSteps, typeErrors } from '../support/seventh-tool.ts';
import { soak } from '../support/soak.ts';
import { openWork, type StartedText, waitForRun } from '../support/writer.ts';

const steps = readSteps();
let copy: string;
let server: TestServer;

beforeAll(async () => {
  copy = copyWithSteps(steps);
  server = await startTestServer({ postgres: inject('postgres'), build: await buildServer(copy) });
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(copy, { recursive: true });
});

async function translate(person: Pick<Person, 'send'>, text: string, key = crypto.randomUUID()) {
  const body = { text, language: 'French' };
  const response = await person.send('POST', '/api/translations', body, { 'idempotency-key': key });
  return { status: response.status, body: (await response.json()) as StartedText };
}

test('the steps change at most four shared files and add at most six, in 350 lines', () => {
  const paths = (kind: string) => new Set(steps.filter((step) => step.kind === kind).map(({ path }) => path));
  expect(paths('change').size).toBeLessThanOrEqual(4);
  expect(paths('new').size).toBeLessThanOrEqual(6);
  const added = steps.flatMap(({ kind, lines }) =>
    lines.filter((line) => kind === 'new' || line.startsWith('+')),
  );
  expect(added.length).toBeLessThanOrEqual(350);
});

test.runIf(soak)(
  'what the steps add passes the type check',
  async () => {
    expect(await typeErrors(copy)).toBe('');
  },
  120_000,
);

test('a translation is written, charged once, and saved as a text', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const key = crypto.randomUUID();
  const text = `${word} ${noDelay} ${raw('Bonjour le monde.')}`;
  const { status, body } = await translate(person, text, key);
  expect(status).toBe(202);
  expect(body.credits).toBe(9);
  expect(await waitForRun(person, body.generation.id)).toMatchObject({
    feature: 'translator',
    state: 'done',
    text: 'Bonjour le monde.',
    creditsCharged: 1,
  });
  expect((await translate(person, text, key)).body.generation.id).toBe(body.generation.id);
  expect(await person.credits()).toBe(9);
  expect(await gatewayLog(server, word)).toHaveLength(1);
  const work = await openWork(person, body.work.id);
  expect([work.feature, work.version.content]).toEqual(['translator', 'Bonjour le monde.']);
});

test('guests, blank texts and people without credits are refused, and nothing is written', async () => {
  expect((await translate(client(server), 'Hello')).status).toBe(401);
  const person = await createPerson(server, { credits: 0 });
  expect(await translate(person, ' \n ')).toMatchObject({
    status: 400,
    body: { error: 'Please enter a text to translate.' },
  });
  expect(await translate(person, 'Hello')).toMatchObject({
    status: 402,
    body: { code: 'credits_exhausted' },
  });
  const { works } = (await (await person.get('/api/works?feature=translator')).json()) as {
    works: unknown[];
  };
  expect(works).toEqual([]);
});

test('Stop before the first word returns the credit, Stop after it keeps the text so far', async () => {
  const person = await createPerson(server);
  const early = await translate(person, '[[mode:hold]] [[holdAfter:0]]');
  await person.send('POST', `/api/generations/${early.body.generation.id}/stop`);
  expect(await waitForRun(person, early.body.generation.id)).toMatchObject({
    state: 'stopped',
    creditsCharged: 0,
  });
  expect(await person.credits()).toBe(10);
  const late = await translate(person, `${noDelay} [[mode:hold]] [[holdAfter:20]]`);
  const run = `/api/generations/${late.body.generation.id}`;
  await eventually(async () => ((await (await person.get(run)).json()) as GenerationView).text !== '');
  await person.send('POST', `${run}/stop`);
  expect(await waitForRun(person, late.body.generation.id)).toMatchObject({
    state: 'stopped',
    creditsCharged: 1,
  });
  expect((await openWork(person, late.body.work.id)).version.content).not.toBe('');
});

test('a failure of the gateway costs nothing', async () => {
  const person = await createPerson(server);
  const { body } = await translate(person, `${noDelay} [[mode:500]]`);
  expect(await waitForRun(person, body.generation.id)).toMatchObject({ state: 'failed', creditsCharged: 0 });
  expect(await person.credits()).toBe(10);
});

test('its page, the list of tools, the prices, the sitemaps and the dashboard include it', async () => {
  const person = await createPerson(server);
  const { body } = await translate(person, `${noDelay} ${raw('Bonjour.')}`);
  await waitForRun(person, body.generation.id);
  const textOf = async (path: string) => {
    const answer = await person.get(path);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  expect(await textOf('/tools/translator')).toContain('Translate · 1 credit');
  expect(await textOf(`/tools/translator/${body.work.id}`)).toContain('Bonjour.');
  expect(await textOf('/tools')).toContain('Six tools');
  for (const path of ['/', '/sitemap', '/sitemap.xml'])
    expect(await textOf(path)).toContain('/tools/translator');
  expect(await textOf('/pricing')).toContain('No credits · 100 translations a day');
  expect(await textOf('/dashboard')).toContain(`/tools/translator/${body.work.id}`);
  expect((await person.get(`/tools/translator/${crypto.randomUUID()}`)).status).toBe(404);
  await expectConsistent(server);
});
