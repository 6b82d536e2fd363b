import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { creditTexts, featureTable } from '#features/credits/contract.ts';
import { gatewayLog, uniqueWord, waitForEnd } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { elementsOf } from '../support/html.ts';
import { createPerson, type Person } from '../support/people.ts';
import { writeScript } from '../support/scripts.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting, settingsCommand } from '../support/settings.ts';
import { soak } from '../support/soak.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let server: TestServer;
let other: TestServer;
let pro: Person;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  other = await startSecondProcess(server);
  pro = await createPerson(server, { plan: 'pro' });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const change = (...args: string[]) => changeSetting([server, other], args);

const optional = ['image', 'pdf', 'script', 'prompts'] as const;
const publicPages = ['/', '/tools', '/pricing', '/about', '/use-cases', '/sitemap', '/blog', '/contact'];

/** Returns `page: tool` for each tool that a page or the site map links to. */
async function linking(at: TestServer, cookie = ''): Promise<string[]> {
  const paths = [...publicPages, '/blog/what-is-gpt-5', '/chat/new', '/tools/writer', '/dashboard'];
  const found: string[] = [];
  for (const path of paths) {
    const html = await (await fetch(at.url + path, { headers: { cookie } })).text();
    const links = elementsOf(html).flatMap(({ attributes }) => [
      attributes.get('href') ?? '',
      attributes.get('action') ?? '',
    ]);
    for (const tool of optional)
      if (links.some((href) => new RegExp(`^/tools/${tool}([/?]|$)`).test(href)))
        found.push(`${path}: ${tool}`);
  }
  const map = await (await fetch(`${at.url}/sitemap.xml`)).text();
  for (const tool of optional)
    if (new RegExp(`/tools/${tool}[</]`).test(map)) found.push(`/sitemap.xml: ${tool}`);
  return found;
}

const images = (person: Person) =>
  person.send(
    'POST',
    '/api/images',
    { prompt: 'A boat', size: '512x512', count: 1 },
    { 'idempotency-key': randomUUID() },
  );

const toolOff = (feature: keyof typeof featureTable) => [
  403,
  {
    code: 'tool_off',
    error: creditTexts.toolOff({ tool: featureTable[feature].name }),
    requestId: expect.any(String),
  },
];

const linkedFrom = (path: string) => expect.arrayContaining(optional.map((tool) => `${path}: ${tool}`));

test.runIf(soak)(
  'tools that are switched off are linked from no page of any process, and do not open',
  async () => {
    expect(await linking(server)).toEqual(linkedFrom('/'));
    for (const tool of optional) await change('set', `tool.${tool}.on`, 'false');
    for (const at of [server, other])
      for (const cookie of ['', pro.cookie]) {
        expect(await linking(at, cookie)).toEqual([]);
        for (const tool of optional)
          expect((await fetch(`${at.url}/tools/${tool}`, { headers: { cookie } })).status).toBe(404);
      }
    for (const tool of optional) await change('unset', `tool.${tool}.on`);
    expect(await linking(server)).toEqual(linkedFrom('/'));
    for (const tool of optional) expect((await fetch(`${server.url}/tools/${tool}`)).status).toBe(200);
  },
);

test('a tool that is off starts nothing, finishes what runs, and leaves people what they made', async () => {
  const word = uniqueWord();
  const running = await writeScript(pro, `${word} [[mode:hold]] [[holdAfter:2]]`);
  expect(running.status).toBe(202);
  await eventually(async () => (await gatewayLog(server, word)).length === 1);
  await change('set', 'tool.script.on', 'false');
  const refused = await writeScript(pro, 'Two people wait.');
  expect([refused.status, refused.body]).toEqual(toolOff('script'));
  // The same request again returns the run that it started.
  const again = await writeScript(pro, `${word} [[mode:hold]] [[holdAfter:2]]`, {}, running.key);
  expect([again.status, again.body.generation.id]).toEqual([202, running.body.generation.id]);
  await release(server, word);
  await waitForEnd(pro, running.body.generation.id);
  const { id } = running.body.work;
  expect((await pro.get(`/tools/script/${id}`)).status).toBe(200);
  expect((await pro.get(`/api/works/${id}`)).status).toBe(200);
  await change('unset', 'tool.script.on');
});

test('the API of a tool that is off says so', async () => {
  await change('set', 'tool.image.on', 'false');
  const response = await images(pro);
  expect([response.status, await response.json()]).toEqual(toolOff('image'));
  await change('unset', 'tool.image.on');
  await change('set', 'tool.prompts.on', 'false');
  const listed = await pro.get('/api/prompts');
  expect([listed.status, await listed.json()]).toEqual(toolOff('prompts'));
  await change('unset', 'tool.prompts.on');
});

test.runIf(soak)('images are not offered without a model, whatever the switch says', async () => {
  await change('set', 'models.image', '');
  expect((await linking(server)).filter((link) => link.endsWith(': image'))).toEqual([]);
  const response = await images(pro);
  expect([response.status, await response.json()]).toEqual(toolOff('image'));
  const { output } = await settingsCommand(server, ['get', 'tool.image.on']);
  expect(output).toContain('something it needs is missing');
  await change('unset', 'models.image');
  expect((await images(pro)).status).toBe(202);
});

test('chat is the site itself and has no switch', async () => {
  const { code, output } = await settingsCommand(server, ['set', 'tool.chat.on', 'false']);
  expect([code, output]).toEqual([1, expect.stringMatching(/^There is no setting tool\.chat\.on/)]);
});
