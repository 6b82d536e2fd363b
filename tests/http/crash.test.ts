import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import {
  follow,
  gatewayLog,
  listen,
  newChat,
  openChat,
  type Sent,
  send,
  startedReply,
  stop,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { auditCommand, expectConsistent } from '../support/consistency.ts';
import { newBrowser, subscribe, waitForNotifications } from '../support/notifications.ts';
import { createPeople, createPerson, type Person, personAt } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';

/** The stand-ins keep running when a server dies, as a real gateway does. */
const start = (standIns: RunningStandIns, databaseUrl?: string) =>
  startTestServer({ postgres: inject('postgres'), databaseUrl, standins: standIns.base });

const openRuns = async (server: TestServer) =>
  (await server.database.query('select id from generations where finished_at is null')).rowCount ?? 0;

describe('kill -9 of the server', () => {
  let standIns: RunningStandIns;
  let first: TestServer;
  let second: TestServer;
  let reader: Person;
  let chatId: string;
  beforeAll(async () => {
    standIns = await spawnStandIns();
    first = await start(standIns);
    reader = await createPerson(first);
    chatId = await newChat(reader);
  });
  afterAll(async () => {
    await second?.stop();
    await first.stop();
    await standIns.remove();
  });

  it('during replies loses at most a second of text, and no credit', async () => {
    const tokensPerSecond = 50;
    const word = uniqueWord();
    const people = await createPeople(first, 10);
    const heldRuns = await Promise.all(
      people.map((person, index) =>
        send(person, `${word}-${index}. [[mode:hold]] [[holdAfter:${index * 5}]] [[tps:0]]`),
      ),
    );
    const browser = await newBrowser(first, reader);
    expect((await subscribe(reader, browser)).status).toBe(204);
    const text = `long ${word} [[answer:lorem]] [[tokens:2000]] [[tps:${tokensPerSecond}]]`;
    const listener = listen(await stream(reader, text, { chatId }));
    await eventually(async () => textOf(listener.events).length > 900);
    await first.kill();
    await listener.finished;
    expect(await openRuns(first)).toBe(11);
    const call = await eventually(async () => {
      const [found] = await gatewayLog(first, `long ${word}`);
      return found?.clientClosedAt ? found : null;
    });

    second = await start(standIns, first.databaseUrl);
    const startedAt = Date.now();
    const restarted = personAt(second, reader);
    const { generation, reply } = startedReply(listener.events);
    // A reader that reconnects at once gets the end as soon as it is known.
    const resumed = await follow(restarted, generation.id, {
      at: listener.events.findLast(({ id }) => id)?.id,
    });
    await eventually(async () => (await openRuns(second)) === 0);
    expectWithin(Date.now() - startedAt, 15_000);

    const view = await waitForEnd(restarted, generation.id);
    expect(view).toMatchObject({ state: 'interrupted', creditsCharged: 0, error: { code: 'interrupted' } });
    expect(call.sentText.startsWith(view.text)).toBe(true);
    const aSecond = (tokensPerSecond * call.sentText.length) / call.tokensSent;
    expectWithin(call.sentText.length - view.text.length, aSecond + 1, 'characters');
    expect(textOf(resumed, textOf(listener.events))).toBe(view.text);
    expect(resumed.at(-1)).toMatchObject({ event: 'end', data: { state: 'interrupted' } });
    expect((await openChat(restarted, chatId)).messages[1]).toMatchObject({
      id: reply.id,
      state: 'interrupted',
      content: view.text,
      error: expect.stringContaining('interrupted'),
    });
    const [notified] = await waitForNotifications(second, browser);
    expect(notified?.notification.path).toBe(`/chat/${chatId}`);
    for (const [index, person] of people.entries()) {
      const id = heldRuns[index]?.body.generation.id ?? '';
      const state = await waitForEnd(personAt(second, person), id);
      expect(state).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
      expect(await person.credits()).toBe(10);
    }
    const { rows } = await second.database.query(
      `select kind, count(*)::int from credit_ledger where generation_id is not null group by kind order by kind`,
    );
    expect(rows).toEqual([
      { kind: 'hold', count: 11 },
      { kind: 'release', count: 11 },
    ]);
  });

  it('leaves the chat usable: the reply can be regenerated, and the next message works', async () => {
    const restarted = personAt(second, reader);
    const brokenReply = (await openChat(restarted, chatId)).messages[1];
    const path = `/api/chats/${chatId}/messages/${brokenReply?.id}/regenerate`;
    const again = await restarted.send('POST', path, {}, { 'idempotency-key': randomUUID() });
    const { generation } = (await again.json()) as Sent['body'];
    await waitForText(restarted, generation.id);
    await stop(restarted, generation.id);
    expect(await waitForEnd(restarted, generation.id)).toMatchObject({ state: 'stopped', creditsCharged: 1 });
    const next = await send(restarted, `${uniqueWord()} [[tps:0]]`, { chatId });
    expect(await waitForEnd(restarted, next.body.generation.id)).toMatchObject({
      state: 'done',
      creditsCharged: 1,
    });
    expect(await reader.credits()).toBe(8);
  });

  it('every invariant holds', () => expectConsistent(second));
});

/** Requests over a new connection, as a new visitor would. */
function newConnection(url: string): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((done, fail) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      done({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
    }).on('error', fail);
  });
}

describe('SIGTERM', () => {
  let standIns: RunningStandIns;
  let server: TestServer;
  beforeAll(async () => {
    standIns = await spawnStandIns();
    server = await start(standIns);
  });
  afterAll(async () => {
    await server.stop();
    await standIns.remove();
  });

  it('lets replies end or stores them as interrupted within ten seconds, and refuses new work', async () => {
    const people = await createPeople(server, 20);
    const [interrupted, finished] = people as [Person, Person];
    for (const person of [interrupted, finished]) await subscribe(person, await newBrowser(server, person));
    const word = uniqueWord();
    // Half of the replies end while the server waits; the others would run for half a minute.
    const speed = (index: number) => (index % 2 ? '[[tokens:120]] [[tps:60]]' : '[[tokens:2000]] [[tps:60]]');
    const streams = await Promise.all(
      people.map(async (person, index) => {
        const text = `${word}-${index}. [[answer:lorem]] ${speed(index)}`;
        return listen(await stream(person, text));
      }),
    );
    await eventually(async () => streams.every(({ events }) => textOf(events) !== ''));
    const stoppedAt = Date.now();
    const exit = server.end();
    const refused = await eventually(async () => {
      const answer = await newConnection(`${server.url}/api/me`);
      return answer.status === 503 && answer;
    });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect(await newConnection(`${server.url}/`)).toMatchObject({ status: 503 });
    expect(await newConnection(`${server.url}/readyz`)).toMatchObject({ status: 503 });
    // A reader of a running reply can reconnect and continue.
    const first = startedReply(streams[0]?.events ?? []).generation.id;
    const rest = follow(people[0] as Person, first);
    expect(await send(people[0] as Person, uniqueWord())).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    });
    expect(await exit).toBe(0);
    expectWithin(Date.now() - stoppedAt, 10_000);

    for (const [index, { events, finished }] of streams.entries()) {
      await finished;
      const { rows } = await server.database.query<{ state: string; text: string; credits_charged: number }>(
        'select state, text, credits_charged from generations where id = $1',
        [startedReply(events).generation.id],
      );
      const done = index % 2 === 1;
      expect(rows).toMatchObject([{ state: done ? 'done' : 'interrupted', credits_charged: done ? 1 : 0 }]);
      expect(streams[index]?.events.at(-1)).toMatchObject({ event: 'end', data: { state: rows[0]?.state } });
      expect(textOf(streams[index]?.events ?? [])).toBe(rows[0]?.text);
      const [call] = await gatewayLog(server, `${word}-${index}.`);
      expect(call?.sentText.startsWith(rows[0]?.text ?? '-')).toBe(true);
      expect(await people[index]?.credits()).toBe(done ? 9 : 10);
    }
    expect((await rest).at(-1)).toMatchObject({ event: 'end', data: { state: 'interrupted' } });
    expect(textOf(await rest)).toBe(textOf(streams[0]?.events ?? []));
    // Another process sends the push messages.
    const { rows: pushJobs } = await server.database.query<{ id: string }>(
      `select data->>'generationId' as id from jobs.job where name = 'notify-device'`,
    );
    const ids = streams.slice(0, 2).map(({ events }) => startedReply(events).generation.id);
    expect(pushJobs.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await openRuns(server)).toBe(0);
    expect(await auditCommand(server)).toEqual({ code: 0, violated: [] });
    expect(server.output()).not.toMatch(/uncaught exception|unhandled rejection/);
  });

  it.runIf(soak)(
    'a second time does not wait for replies, which are stored as interrupted and refunded',
    async () => {
      const other = await startTestServer({
        postgres: inject('postgres'),
        standins: standIns.base,
        env: { DRAIN_SECONDS: '3600' },
      });
      const person = await createPerson(other);
      const word = uniqueWord();
      const { body } = await send(person, `${word} [[mode:hold]] [[holdAfter:3]] [[tps:0]]`);
      await eventually(async () => (await gatewayLog(other, word))[0]?.tokensSent === 3);
      other.process.kill('SIGINT');
      await eventually(async () => (await newConnection(`${other.url}/readyz`)).status === 503);
      expect(other.output()).toContain('Waiting up to 3600 s for running replies (1).');
      other.process.kill('SIGINT');
      expect(await other.end()).toBe(0);
      const { rows } = await other.database.query('select state from generations where id = $1', [
        body.generation.id,
      ]);
      expect(rows).toEqual([{ state: 'interrupted' }]);
      expect(await person.credits()).toBe(10);
      await other.stop();
    },
  );
});
