import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { gatewayLog, newChat, noDelay, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { createPerson, personAt } from '../support/people.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting, settingsCommand } from '../support/settings.ts';
import { sampleOf } from '../support/soak.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const env = { FAIR_USE_CHAT: '7', LLM_PRICES: 'first/model=1/2', LLM_MODEL: 'first/model' };

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env });
  other = await startSecondProcess(server, env);
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const settings = (...args: string[]) => settingsCommand(server, args, env);
const change = (...args: string[]) => changeSetting([server, other], args);

const modelsOf = async (generationId: string) => {
  const { rows } = await server.database.query<{ model: string }>(
    `select model from gateway_calls where generation_id = $1`,
    [generationId],
  );
  return rows.map(({ model }) => model);
};

test('a stored setting overrides the environment, and the output shows the source', async () => {
  const { output } = await settings();
  expect(output).toMatch(/limits\.fairUse\.chat +7 +\[FAIR_USE_CHAT\]/);
  expect(output).toMatch(/limits\.running +2 +\[default\]/);
  expect(output).toMatch(/models\.prices +first\/model=1\/2 +\[LLM_PRICES\]/);
  expect(output).toMatch(/models\.spendCap +\(none\) +\[default\]/);
  await change('set', 'limits.fairUse.chat', '9');
  for (const at of [server, other])
    expect(await (await fetch(`${at.url}/pricing`)).text()).toContain('9 messages a day');
  expect((await settings('get', 'limits.fairUse.chat')).output).toMatch(
    /^9 +\[(?!FAIR).*\n[\s\S]*Default: 7\n/,
  );
  await change('unset', 'limits.fairUse.chat');
  for (const at of [server, other])
    expect(await (await fetch(`${at.url}/pricing`)).text()).toContain('7 messages a day');
});

test('an active run keeps the model that it was started with; the next one uses the new one', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const running = await send(person, `${word} [[mode:hold]] [[holdAfter:2]]`);
  await eventually(async () => (await gatewayLog(server, word)).length === 1);
  await change('set', 'models.text', 'second/model');
  await release(server, word);
  expect(await waitForEnd(person, running.body.generation.id)).toMatchObject({ state: 'done' });
  expect(await modelsOf(running.body.generation.id)).toEqual(['first/model']);
  for (const at of [server, other]) {
    const next = await send(personAt(at, person), `${uniqueWord()} ${noDelay}`);
    await waitForEnd(person, next.body.generation.id);
    expect(await modelsOf(next.body.generation.id)).toEqual(['second/model']);
  }
  await change('unset', 'models.text');
});

test('a daily cap applies from the next start on, and 0 removes it', async () => {
  const person = await createPerson(server);
  const first = await send(person, `${uniqueWord()} [[answer:lorem]] [[tokens:500]] ${noDelay}`);
  await waitForEnd(person, first.body.generation.id);
  await change('set', 'models.spendCap', '0.000001');
  for (const at of [server, other]) {
    const refused = await send(personAt(at, person), uniqueWord());
    expect([refused.status, refused.body.code]).toEqual([503, 'spend_cap']);
  }
  await change('set', 'models.spendCap', '0');
  expect((await send(person, `${uniqueWord()} ${noDelay}`)).status).toBe(202);
});

test('a lowered limit refuses the next run, and ends none that is running', async () => {
  const person = await createPerson(server);
  const chatId = await newChat(person);
  const word = uniqueWord();
  const running = await send(person, `${word} [[mode:hold]] [[holdAfter:2]]`, { chatId });
  await change('set', 'limits.running', '1');
  for (const at of [server, other]) {
    const refused = await send(personAt(at, person), uniqueWord(), { chatId });
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_running']);
  }
  await release(server, word);
  expect(await waitForEnd(person, running.body.generation.id)).toMatchObject({ state: 'done' });
  await change('unset', 'limits.running');
});

describe('is refused with a sentence', () => {
  test.each(
    sampleOf([
      ['limits.running', '0', 'limits.running must be 1 or more.'],
      ['limits.running', '-3', 'limits.running must be 1 or more.'],
      ['limits.running', '1.5', 'limits.running must be a whole number.'],
      ['limits.running', 'NaN', 'limits.running must be a number.'],
      ['limits.running', '1e3', 'limits.running must be a number.'],
      ['limits.running', '9'.repeat(400), 'limits.running must be a number.'],
      ['models.context', '999', 'models.context must be 1000 or more.'],
      ['models.spendCap', '-1', 'models.spendCap must be 0 or more.'],
      ['models.text', '', 'models.text must not be empty.'],
      ['models.text', 'two words', 'models.text must be letters, digits and symbols without spaces.'],
      [
        'models.prices',
        'x=',
        'models.prices must be MODEL=INPUT/OUTPUT or MODEL=PRICE in US dollars, separated by commas.',
      ],
    ]),
  )('%s %s', async (name, value, message) => {
    const { code, output } = await settings('set', '--', name, value);
    expect([code, output]).toEqual([1, `${message}\n`]);
  });

  test('one product for two plans', async () => {
    await change('set', 'payments.monthly', 'prod_1');
    const { code, output } = await settings('set', 'payments.yearly', 'prod_1');
    expect([code, output]).toEqual([
      1,
      'payments.yearly must be a different product from payments.monthly.\n',
    ]);
    await change('unset', 'payments.monthly');
  });
});
