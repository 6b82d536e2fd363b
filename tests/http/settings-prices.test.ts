import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { creditTexts, priceHeader, pricesVersion } from '#features/credits/contract.ts';
import { settingsElement } from '#shared/settings.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { gatewayLog, newChat, noDelay, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { WEBHOOK_SECRET } from '../support/creem-events.ts';
import { release } from '../support/gateway.ts';
import { elementsOf, visibleText } from '../support/html.ts';
import { payments, planOf } from '../support/payments.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { writeScript } from '../support/scripts.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting, settingsCommand } from '../support/settings.ts';
import { sampleOf } from '../support/soak.ts';
import { newAddress, visitor } from '../support/visitor.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let standIns: RunningStandIns;
let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  const postgres = inject('postgres');
  standIns = await spawnStandIns({ env: { STANDINS_WEBHOOK_SECRET: WEBHOOK_SECRET } });
  const options = {
    postgres,
    standins: standIns.base,
    smtp: `smtp://127.0.0.1:${standIns.smtpPort}`,
    env: {
      TRUSTED_PROXIES: '127.0.0.1',
      CREEM_WEBHOOK_SECRET: WEBHOOK_SECRET,
      CREEM_PRODUCT_YEARLY: 'prod_yearly',
    },
  };
  server = await startTestServer(options);
  const { databaseUrl, dataDir } = server;
  other = await startTestServer({ ...options, databaseUrl, dataDir });
  await payments(server).creem({ siteUrl: server.url });
});
afterAll(async () => {
  await expectConsistent(server);
  await other.stop();
  await server.stop();
  await standIns.remove();
});

const change = (...args: string[]) => changeSetting([server, other], args);
const pricing = async (at: TestServer) => visibleText(await (await fetch(`${at.url}/pricing`)).text());

async function costOf(person: Person, chatId?: string): Promise<number> {
  const before = await person.credits();
  const sent = await send(person, `${uniqueWord()} ${noDelay}`, { ...(chatId && { chatId }) });
  expect(sent.status).toBe(202);
  expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({ state: 'done' });
  return before - (await person.credits());
}

/** Sends a message as a page would that was loaded with this edition of the prices. */
const sendWithEdition = (person: Person, edition: string, key: string, chatId = randomUUID()) =>
  person.send(
    'POST',
    `/api/chats/${chatId}/messages`,
    { text: `x ${noDelay}`, create: true },
    { 'idempotency-key': key, [priceHeader]: edition },
  );

test('a price applies to runs from the next start on, on every process, and pages state it', async () => {
  const person = await createPerson(server, { credits: 100 });
  const chatId = await newChat(person);
  expect(await costOf(person, chatId)).toBe(1);
  const word = uniqueWord();
  const running = await send(person, `${word} [[mode:hold]] [[holdAfter:2]]`, { chatId });
  await eventually(async () => (await gatewayLog(server, word)).length === 1);
  const before = await person.credits();

  await change('set', 'tool.chat.price', '4');
  for (const at of [server, other]) {
    expect(await pricing(at)).toContain('4 credits');
    expect(await costOf(personAt(at, person), chatId)).toBe(4);
  }
  await release(server, word);
  expect(await waitForEnd(person, running.body.generation.id)).toMatchObject({
    state: 'done',
    creditsCharged: 1,
  });
  expect(before - (await person.credits())).toBe(8);

  const html = await (await person.get('/chat')).text();
  const inline = elementsOf(html).find(({ attributes }) => attributes.get('id') === settingsElement);
  expect(JSON.parse(inline?.text ?? '')).toEqual({ 'tool.chat.price': 4 });
  await change('unset', 'tool.chat.price');
  expect(await costOf(person, chatId)).toBe(1);
});

test('a page that was opened under other prices charges nothing until it is reloaded', async () => {
  const person = await createPerson(server, { credits: 100 });
  const pro = await createPerson(server, { plan: 'pro' });
  const shipped = pricesVersion();
  const [key, chatId] = [randomUUID(), randomUUID()];
  const first = await sendWithEdition(person, shipped, key, chatId);
  expect(first.status).toBe(202);
  const { generation } = (await first.json()) as { generation: { id: string } };
  await waitForEnd(person, generation.id);
  await change('set', 'tool.chat.price', '9');
  const before = await person.credits();
  const refused = await sendWithEdition(person, shipped, randomUUID());
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { error: creditTexts.pricesChanged(), code: 'prices_changed', requestId: expect.any(String) },
  ]);
  expect(await person.credits()).toBe(before);
  // A repeated request gets the run that started at the old price, however late.
  const again = await sendWithEdition(person, shipped, key, chatId);
  expect([again.status, ((await again.json()) as { generation: { id: string } }).generation.id]).toEqual([
    202,
    generation.id,
  ]);
  // Pro is charged nothing, and a client that sends no edition pays the current price.
  expect((await sendWithEdition(pro, shipped, randomUUID())).status).toBe(202);
  expect(await costOf(person)).toBe(9);
  await change('unset', 'tool.chat.price');
});

test('a new account gets the welcome credits that apply at its first sign-in', async () => {
  await change('set', 'credits.welcome', '25');
  for (const at of [server, other]) expect(await pricing(at)).toContain('25');
  const person = await visitor(server).signIn(newAddress());
  expect(await (await person.get('/api/me')).json()).toMatchObject({ credits: 25 });
  await change('unset', 'credits.welcome');
  expect(await (await person.get('/api/me')).json()).toMatchObject({ credits: 25 });
});

test('a plan costs what the setting says, per day and savings too, and a purchase at its former price gives Pro', async () => {
  await change('set', 'plan.yearly.cents', '11999');
  for (const at of [server, other]) {
    const words = await pricing(at);
    for (const text of ['$119.99', '$0.33', 'Save 49%']) expect(words).toContain(text);
    expect(words).not.toContain('$69.99');
  }
  // The provider's product still has its old price.
  const person = await createPerson(server);
  await payments(server).buy(person, 'yearly');
  expect(await planOf(person)).toBe('pro');
  await change('set', 'plan.yearly.cents', '30000');
  expect(await pricing(server)).not.toMatch(/Save \d/);
  await change('unset', 'plan.yearly.cents');
  expect(await pricing(server)).toContain('Save 70%');
});

test('the free plan has the set number of new conversations a day, and the Pro tools that are opened to it', async () => {
  await change('set', 'plan.free.chatsPerDay', '1');
  const person = await createPerson(server);
  expect(await costOf(person)).toBe(1);
  const refused = await send(person, uniqueWord());
  expect([refused.status, refused.body.code]).toEqual([429, 'daily_chats']);
  await change('unset', 'plan.free.chatsPerDay');

  const ask = () => writeScript(person, 'Two people wait for a bus.');
  expect((await ask()).status).toBe(403);
  await change('set', 'tool.script.free', 'true');
  expect((await ask()).status).not.toBe(403);
  await change('unset', 'tool.script.free');
  expect((await ask()).status).toBe(403);
});

describe('is refused with a sentence', () => {
  test.each(
    sampleOf([
      ['tool.chat.price', '0', 'tool.chat.price must be 1 or more.'],
      ['tool.chat.price', '-5', 'tool.chat.price must be 1 or more.'],
      ['tool.image.price', 'NaN', 'tool.image.price must be a number.'],
      ['tool.image.price', 'Infinity', 'tool.image.price must be a number.'],
      ['tool.image.price', '2.5', 'tool.image.price must be a whole number.'],
      ['tool.image.price', '10001', 'tool.image.price must be 10000 or less.'],
      ['plan.monthly.cents', '-1999', 'plan.monthly.cents must be 50 or more.'],
      ['plan.monthly.cents', '99.99', 'plan.monthly.cents must be a whole number.'],
      ['credits.welcome', '1000000', 'credits.welcome must be 100000 or less.'],
    ]),
  )('%s %s', async (name, value, message) => {
    const { code, output } = await settingsCommand(server, ['set', '--', name, value]);
    expect([code, output]).toEqual([1, `${message}\n`]);
  });
});
