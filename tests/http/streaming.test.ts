import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  follow,
  gatewayLog,
  openChat,
  readEvents,
  type SseEvent,
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
import { raw, release } from '../support/gateway.ts';
import { client, createPeople, createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin } from '../support/soak.ts';
import { metric } from '../support/stalled-readers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { RUNNING_AT_ONCE: '400' } });
});
afterAll(() => server.stop());

const lengths = (events: SseEvent[]) => events.flatMap(({ id }) => (id ? [Number(id.split('-')[1])] : []));
const hasEnd = (events: SseEvent[]) => events.at(-1)?.event === 'end';

/** Reads the events to the end, over connections that are cut after `bits` events and resumed with the last id. */
async function readInPieces(person: Person, id: string, count: number): Promise<SseEvent[]> {
  const all: SseEvent[] = [];
  while (!hasEnd(all)) {
    const at = all.findLast((each) => each.id)?.id;
    all.push(...(await follow(person, id, { at, until: (events) => events.length >= count })));
  }
  return all;
}

describe('a reply', () => {
  it('is the same for two readers and one that is cut off repeatedly, from one gateway call', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const starting = await stream(person, `${word} [[answer:lorem]] [[tokens:240]] [[tps:80]]`);
    const opening: SseEvent[] = [];
    const first = readEvents(starting, (events) => {
      opening[0] ??= events[0] as SseEvent;
      return false;
    });
    const id = await eventually(async () => opening[0] && startedReply(opening).generation.id);
    const [a, b, c] = await Promise.all([first, follow(person, id), readInPieces(person, id, 7)]);
    const [call, ...more] = await gatewayLog(server, word);
    expect(more).toEqual([]);
    for (const events of [a, b, c]) {
      expect(textOf(events)).toBe(call?.sentText);
      expect(events.length).toBeGreaterThan(20);
      expect(lengths(events)).toEqual([...new Set(lengths(events))].sort((x, y) => x - y));
    }
    expect(c.filter(({ event }) => event === 'reset')).toHaveLength(1);
    expect((await waitForEnd(person, id)).text).toBe(call?.sentText);
  });

  it('continues without its readers, is stored and charged once', async () => {
    const people = await createPeople(server, 20);
    const word = uniqueWord();
    const runs = await Promise.all(
      people.map(async (person, index) => {
        const response = await stream(person, `${word}-${index}. [[tokens:60]] [[tps:60]]`);
        const events = await readEvents(response, (received) => textOf(received).length > 0);
        expect(hasEnd(events)).toBe(false);
        return { person, id: startedReply(events).generation.id, chat: startedReply(events).chat.id };
      }),
    );
    for (const [index, { person, id, chat }] of runs.entries()) {
      expect(await waitForEnd(person, id)).toMatchObject({ state: 'done', creditsCharged: 1 });
      const [call, ...more] = await gatewayLog(server, `${word}-${index}.`);
      expect(more).toEqual([]);
      expect((await openChat(person, chat)).messages[1]).toMatchObject({
        state: 'done',
        content: call?.sentText,
      });
      expect(await person.credits()).toBe(9);
    }
  });

  it('is closed once by Stop, at the gateway within a second, with what the server has', async () => {
    const people = await createPeople(server, 20);
    const word = uniqueWord();
    await Promise.all(
      people.map(async (person, index) => {
        const sent = await send(person, `${word}-${index}. [[mode:hold]] [[holdAfter:30]] [[tps:0]]`);
        const { id } = sent.body.generation;
        await waitForText(person, id, 40);
        const path = `/api/generations/${id}/stop`;
        const presses = [stop(person, id), person.send('POST', path, { text: 'forged', content: 'forged' })];
        const at = Date.now();
        expect((await Promise.all(presses)).map(({ status }) => status)).toEqual([202, 202]);
        const view = await waitForEnd(person, id);
        expect(view).toMatchObject({ state: 'stopped', creditsCharged: 1 });
        const call = await eventually(async () => {
          const [found] = await gatewayLog(server, `${word}-${index}.`);
          return found?.clientClosedAt ? found : null;
        });
        expectWithin(Date.parse(call.clientClosedAt ?? '') - at, 1_000);
        expect(view.text).toBe(call.sentText);
        expect((await openChat(person, sent.chatId)).messages[1]).toMatchObject({ content: view.text });
        expect((await stop(person, id)).status).toBe(202);
        expect(await person.credits()).toBe(9);
      }),
    );
    const { rows } = await server.database.query(
      `select l.kind, count(*)::int from credit_ledger l join generations g on g.id = l.generation_id
        where g.user_id = any($1) and g.feature = 'chat' group by l.kind order by l.kind`,
      [people.map(({ id }) => id)],
    );
    expect(rows).toEqual([
      { kind: 'hold', count: 20 },
      { kind: 'settle', count: 20 },
    ]);
  });

  it('is streamed to nobody else', async () => {
    const [owner, other] = [await createPerson(server), await createPerson(server)];
    const word = uniqueWord();
    const sent = await send(owner, `${word} [[mode:hold]] [[holdAfter:30]] [[tps:0]]`);
    const { id } = sent.body.generation;
    const { text } = await waitForText(owner, id, 40);
    for (const [reader, status] of [
      [other, 404],
      [client(server), 401],
    ] as const) {
      for (const at of ['', '1-3']) {
        const response = await reader.get(`/api/generations/${id}/events`, { 'last-event-id': at });
        expect(response.status).toBe(status);
        expect(await response.text()).not.toContain(text.slice(3, 20));
      }
      expect((await stop(reader, id)).status).toBe(status);
    }
    await release(server, word);
    expect(await waitForEnd(owner, id)).toMatchObject({ state: 'done' });
  });

  it('cannot forge events', async () => {
    const person = await createPerson(server);
    const text =
      'a\r\n\r\ndata: x\n\nevent: end\ndata: {"state":"failed"}\n\nid: 9-9\n\n: c\r\rretry: 1\n\u2028\u0085 b';
    const events = await readEvents(await stream(person, `${uniqueWord()} ${raw(text)} [[tps:0]]`));
    expect(textOf(events)).toBe(text);
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['started', 'delta', 'end']));
    expect(events.filter(({ event }) => event === 'end')).toMatchObject([{ data: { state: 'done' } }]);
    expect((await waitForEnd(person, startedReply(events).generation.id)).text).toBe(text);
  });
});

describe('a position', () => {
  const unknown = ['7-3', '1-999999', '0-0', '0-5', '9-0', 'nonsense', '1-2-3', '-1'];

  it('that the run does not know starts over, while it runs and afterwards', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const sent = await send(
      person,
      `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:10]] [[tokens:20]] [[tps:0]]`,
    );
    const { id } = sent.body.generation;
    const { text } = await waitForText(person, id, 60);
    for (const at of unknown) {
      const events = await follow(person, id, {
        at,
        until: (received) => textOf(received, 'stale').length >= text.length,
      });
      expect(events[0], at).toMatchObject({ event: 'reset', id: `1-${text.length}`, data: { text } });
    }
    const known = await follow(person, id, { at: '1-6', until: (received) => received.length > 0 });
    expect(known).toMatchObject([{ event: 'delta', data: { text: text.slice(6) } }]);
    await release(server, word);
    const full = (await waitForEnd(person, id)).text;
    for (const at of unknown) {
      const events = await follow(person, id, { at });
      expect(events.map(({ event }) => event)).toEqual(['reset', 'end']);
      expect(textOf(events, 'stale'), at).toBe(full);
    }
    expect(textOf(await follow(person, id, { at: '1-6' }), full.slice(0, 6))).toBe(full);
    expect((await follow(person, id, { at: `1-${full.length}` })).map(({ event }) => event)).toEqual(['end']);
  });

  it('in a long text is reached in pieces', async () => {
    const person = await createPerson(server);
    const sent = await send(person, `${uniqueWord()} [[mode:endless]]`);
    const { text } = await waitForEnd(person, sent.body.generation.id);
    expect(text.length).toBeGreaterThan(200_000);
    for (const at of [null, '1-100001']) {
      const events = await follow(person, sent.body.generation.id, { at });
      expect(textOf(events, at ? text.slice(0, 100_001) : '')).toBe(text);
      const sizes = events.map(({ data }) => String(data.text ?? '').length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(8192);
    }
  });
});

it('a reader that leaves before its stream starts is forgotten', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const sent = await send(person, `${uniqueWord()} [[answer:lorem]] [[tokens:300]] [[tps:50]]`);
  await waitForText(person, sent.body.generation.id);
  const before = await metric(server, 'site_event_streams');
  const url = `${server.url}/api/generations/${sent.body.generation.id}/events`;
  for (let index = 0; index < 60; index++) {
    const abort = new AbortController();
    const request = fetch(url, { headers: { cookie: person.cookie }, signal: abort.signal });
    // Varies the moment of the abort between the request and its first query.
    for (let turn = 0; turn < index % 12; turn++) await new Promise((done) => setImmediate(done));
    abort.abort();
    await request.catch(() => undefined);
  }
  await stop(person, sent.body.generation.id);
  await waitForEnd(person, sent.body.generation.id);
  await eventually(async () => (await metric(server, 'site_event_streams')) <= before);
});

it('every invariant holds', () => expectConsistent(server));
