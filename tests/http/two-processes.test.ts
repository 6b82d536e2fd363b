import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BillingView } from '#features/billing/contract.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import {
  follow,
  gatewayLog,
  listen,
  openChat,
  readEvents,
  send,
  startedReply,
  stop,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { WEBHOOK_SECRET } from '../support/creem-events.ts';
import { release } from '../support/gateway.ts';
import { payments, postJson } from '../support/payments.ts';
import { createPerson, personAt } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { databaseTarget, startProxy, type TcpProxy, throughProxy } from '../support/proxy.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';

let standIns: RunningStandIns;
/** Runs during the whole file. */
let surviving: TestServer;
let killed: TestServer;
let sleeper: TestServer;
/** One between each process and the database. */
let proxies: TcpProxy[];
let direct: pg.Pool;
beforeAll(async () => {
  standIns = await spawnStandIns({ env: { STANDINS_WEBHOOK_SECRET: WEBHOOK_SECRET } });
  const postgres = inject('postgres');
  const address = await makeDatabase(postgres);
  direct = new pg.Pool({ connectionString: address, max: 1 });
  proxies = [];
  for (let count = 0; count < 3; count++) proxies.push(await startProxy(databaseTarget(address)));
  const optionsVia = (proxy = 0) => ({
    postgres,
    standins: standIns.base,
    databaseUrl: throughProxy(address, proxies[proxy]?.port ?? 0),
    env: {
      CREEM_WEBHOOK_SECRET: WEBHOOK_SECRET,
      CREEM_PRODUCT_MONTHLY: 'prod_monthly',
      CREEM_PRODUCT_QUARTERLY: 'prod_quarterly',
      CREEM_PRODUCT_YEARLY: 'prod_yearly',
    },
  });
  surviving = await startTestServer(optionsVia(0));
  const { dataDir } = surviving;
  [killed, sleeper] = (await Promise.all(
    [1, 2].map((at) => startTestServer({ ...optionsVia(at), dataDir })),
  )) as [TestServer, TestServer];
  await payments(surviving).creem({ siteUrl: surviving.url });
});
afterAll(async () => {
  sleeper.process.kill('SIGCONT');
  for (const server of [killed, sleeper, surviving]) await server.stop();
  await direct.end();
  for (const proxy of proxies) await proxy.down();
  await standIns.remove();
});

describe('a reply of another process', () => {
  it('is read live, to the same text', async () => {
    const person = await createPerson(surviving);
    const word = uniqueWord();
    const text = `${word} [[answer:lorem]] [[tokens:200]] [[tps:80]]`;
    const at: number[] = [];
    const starting = listen(await stream(person, text));
    await eventually(async () => starting.events.length > 0);
    const { generation } = startedReply(starting.events);
    const remote = personAt(killed, person);
    const remoteEvents = readEvents(
      await remote.get(`/api/generations/${generation.id}/events`),
      (events) => {
        if (events.at(-1)?.event !== 'end') at.push(performance.now());
        return false;
      },
    );
    await starting.finished;
    const end = performance.now();
    const events = await remoteEvents;
    const [call, ...more] = await gatewayLog(surviving, word);
    expect(more).toEqual([]);
    expect(textOf(events)).toBe(call?.sentText);
    expect(textOf(starting.events)).toBe(call?.sentText);
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { state: 'done', creditsCharged: 1 } });
    // Progress is published at every flush, at least twice a second, during these 2.5 seconds.
    expect(at.filter((when) => when < end - 400).length).toBeGreaterThanOrEqual(4);
    expect((await waitForEnd(remote, generation.id)).text).toBe(call?.sentText);
    expect(await person.credits()).toBe(9);
  });

  it('starts over for a position that the log does not know, and continues from one that it does', async () => {
    const person = await createPerson(surviving);
    const word = uniqueWord();
    const sent = await send(
      person,
      `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:10]] [[tokens:20]] [[tps:0]]`,
    );
    const { id } = sent.body.generation;
    const remote = personAt(killed, person);
    const { text } = await waitForText(remote, id, 60);
    for (const at of ['7-3', '1-999999', '0-5', 'nonsense']) {
      const events = await follow(remote, id, {
        at,
        until: (received) => textOf(received, 'stale').length >= text.length,
      });
      expect(events[0], at).toMatchObject({ event: 'reset', data: { text } });
    }
    const known = await follow(remote, id, { at: '1-6', until: (received) => received.length > 0 });
    expect(known).toMatchObject([{ event: 'delta', data: { text: text.slice(6) } }]);
    const waiting = follow(remote, id, { at: `1-${text.length}` });
    await release(surviving, word);
    const full = (await waitForEnd(person, id)).text;
    expect(textOf(await waiting, text)).toBe(full);
  });

  it('is stopped within a second', async () => {
    const person = await createPerson(surviving);
    const word = uniqueWord();
    const sent = await send(person, `${word} [[tokens:2000]] [[tps:50]]`);
    const { id } = sent.body.generation;
    await waitForText(person, id, 20);
    const at = Date.now();
    expect((await stop(personAt(killed, person), id)).status).toBe(202);
    const call = await eventually(async () => {
      const [found] = await gatewayLog(surviving, word);
      return found?.clientClosedAt ? found : null;
    });
    expectWithin(Date.parse(call.clientClosedAt ?? '') - at, 1_000);
    const view = await waitForEnd(personAt(killed, person), id);
    expect(view).toMatchObject({ state: 'stopped', creditsCharged: 1 });
    expect(call.sentText.startsWith(view.text)).toBe(true);
  });
});

/** Starts a change to the yearly plan on the process that will be killed; the provider holds it. */
async function startHeldChange() {
  const shop = payments(surviving);
  const person = await createPerson(surviving);
  const { id } = await shop.buy(person, 'monthly');
  const { subscriptions } = await shop.providerState();
  const path = `/v1/subscriptions/${subscriptions.find(({ metadata }) => metadata.userId === person.id)?.id}/upgrade`;
  await shop.creem({ api: { fault: 'slow', path, times: 1 } });
  const change = (server: TestServer) =>
    postJson<BillingView>(personAt(server, person), '/api/subscription/change', { id, plan: 'yearly' });
  const calls = async () => {
    const answer = await fetch(`${surviving.standins}/log?path=${encodeURIComponent(`/creem${path}`)}`);
    return ((await answer.json()) as unknown[]).length;
  };
  const pending = change(killed);
  await eventually(async () => (await calls()) === 1);
  return { change, calls, pending, releaseChange: () => shop.control({ release: path }) };
}

describe('a change of a plan', () => {
  it('waits for the same change on another process, and nothing is charged twice', async () => {
    const { change, calls, pending, releaseChange } = await startHeldChange();
    const second = change(surviving);
    // Both processes have a connection for locks; the surviving one's waits for the lock.
    await eventually(async () => {
      const { rows } = await direct.query(
        `select 1 from pg_stat_activity where datname = current_database() and application_name = 'site-locks'`,
      );
      return rows.length === 2;
    });
    await releaseChange();
    for (const { status, data } of await Promise.all([pending, second]))
      expect([status, data.subscriptions[0]?.plan]).toEqual([200, 'yearly']);
    expect(await calls()).toBe(1);
  });
});

describe('a database that stalls for longer than a lease', () => {
  const leases = async () => {
    const { rows } = await direct.query<{ owner: string; ms: number }>(
      `select owner, extract(epoch from lease_until - app_now())::float8 * 1000 as ms from engine_leases`,
    );
    return rows;
  };

  it.runIf(soak)('ends no live reply of any process, whichever gets a response first', async () => {
    const person = await createPerson(surviving);
    const word = uniqueWord();
    const lives: ReturnType<typeof listen>[] = [];
    for (const server of [surviving, killed]) {
      const text = `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:20]] [[tokens:60]] [[tps:0]]`;
      lives.push(listen(await stream(personAt(server, person), text)));
    }
    await eventually(async () => lives.every(({ events }) => textOf(events).length > 20));
    const [firstRun, secondRun] = lives.map(({ events }) => startedReply(events).generation.id);
    for (const proxy of proxies) proxy.stall();
    await eventually(async () => (await leases()).every(({ ms }) => ms < -500));
    const [first, ...others] = proxies;
    first?.resume();
    const renewed = await eventually(async () => (await leases()).find(({ ms }) => ms > 0));
    // Two more heartbeats with a sweep between them: the leases of the other replies' owners have expired.
    let before = renewed.ms;
    for (let beats = 0; beats < 2; ) {
      const [now] = (await leases()).filter(({ owner }) => owner === renewed.owner);
      if (now && now.ms > before) beats++;
      before = now?.ms ?? before;
    }
    for (const proxy of others) proxy.resume();
    await release(surviving, word);
    for (const { finished } of lives) await finished;
    for (const id of [firstRun, secondRun])
      expect(await waitForEnd(person, id ?? '')).toMatchObject({ state: 'done', creditsCharged: 1 });
    for (const { events } of lives)
      expect(events.at(-1)).toMatchObject({ event: 'end', data: { state: 'done' } });
    expect(await person.credits()).toBe(8);
  });
});

describe.concurrent('a process that is gone', () => {
  it('by kill -9 has its replies closed by the other within 15 s', async () => {
    const person = await createPerson(surviving);
    const word = uniqueWord();
    const remote = personAt(killed, person);
    const live = listen(await stream(remote, `${word} [[answer:lorem]] [[tokens:2000]] [[tps:50]]`));
    const silent = await send(remote, `${word} [[mode:hold]]`);
    await eventually(async () => textOf(live.events).length > 500);
    const { generation, chat } = startedReply(live.events);
    const remoteStream = listen(await person.get(`/api/generations/${generation.id}/events`));
    await eventually(async () => textOf(remoteStream.events).length > 100);
    const { change, pending: interruptedChange } = await startHeldChange();
    const lost = expect(interruptedChange).rejects.toThrow();
    const at = Date.now();
    await killed.kill();
    await lost;
    await remoteStream.finished;
    expectWithin(Date.now() - at, 15_000);
    // The lock on the plan that the dead process was changing is released at once.
    expect(await change(surviving)).toMatchObject({
      status: 200,
      data: { subscriptions: [{ plan: 'yearly' }] },
    });
    const view = await waitForEnd(person, generation.id);
    expect(remoteStream.events.at(-1)).toMatchObject({
      event: 'end',
      data: { state: 'interrupted', creditsCharged: 0 },
    });
    expect(textOf(remoteStream.events)).toBe(view.text);
    expect(await waitForEnd(person, silent.body.generation.id)).toMatchObject({
      state: 'interrupted',
      text: '',
    });
    expect(await person.credits()).toBe(10);
    const rest = await follow(person, generation.id, { at: live.events.findLast(({ id }) => id)?.id });
    expect(textOf(rest, textOf(live.events))).toBe(view.text);
    expect((await openChat(person, chat.id)).messages[1]).toMatchObject({
      state: 'interrupted',
      content: view.text,
    });
    const next = await send(person, `${uniqueWord()} [[tps:0]]`, { chatId: chat.id });
    expect(await waitForEnd(person, next.body.generation.id)).toMatchObject({ state: 'done' });
  });

  it.runIf(soak)('only temporarily cannot finish what was closed meanwhile', async () => {
    const person = await createPerson(surviving);
    const word = uniqueWord();
    const remote = personAt(sleeper, person);
    const live = listen(
      await stream(remote, `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:40]] [[tokens:80]] [[tps:0]]`),
    );
    const { id } = await eventually(
      async () => live.events.length > 1 && startedReply(live.events).generation,
    );
    await eventually(async () => (await waitForText(person, id)).text.length > 200);
    sleeper.process.kill('SIGSTOP');
    const view = await waitForEnd(person, id);
    expect(view).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
    expect(await person.credits()).toBe(10);
    // When the sleeper wakes, the whole response is waiting in its socket.
    await release(surviving, word);
    await eventually(async () => (await gatewayLog(surviving, word))[0]?.finished);
    sleeper.process.kill('SIGCONT');
    await live.finished;
    expect(live.events.at(-1)).toMatchObject({
      event: 'end',
      data: { state: 'interrupted', creditsCharged: 0 },
    });
    expect(textOf(live.events)).toBe(view.text);
    const after = await waitForEnd(remote, id);
    expect(after).toEqual(view);
    expect(await person.credits()).toBe(10);
    const { rows } = await surviving.database.query(
      'select kind from credit_ledger where generation_id = $1 order by id',
      [id],
    );
    expect(rows).toEqual([{ kind: 'hold' }, { kind: 'release' }]);
    // What the gateway did for it is recorded nevertheless.
    const { rows: calls } = await surviving.database.query(
      `select outcome, completion_tokens from gateway_calls where generation_id = $1 and purpose = 'chat'`,
      [id],
    );
    expect(calls).toEqual([{ outcome: 'stop', completion_tokens: 80 }]);
    const next = await send(remote, `${uniqueWord()} [[tps:0]]`, {
      chatId: startedReply(live.events).chat.id,
    });
    expect(await waitForEnd(remote, next.body.generation.id)).toMatchObject({
      state: 'done',
      creditsCharged: 1,
    });
  });
});

it('every invariant holds', async () => {
  await expectConsistent(surviving);
  await expectConsistent(sleeper);
});
