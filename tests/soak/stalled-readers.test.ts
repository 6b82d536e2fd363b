import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readEvents, send, stop, stream, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { createPeople, createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin } from '../support/soak.ts';
import { metric, StalledReaders } from '../support/stalled-readers.ts';

let server: TestServer;
beforeAll(async () => {
  // One person reads with hundreds of streams here; the limit of running replies also limits those.
  server = await startTestServer({ postgres: inject('postgres'), env: { RUNNING_AT_ONCE: '400' } });
});
afterAll(() => server.stop());

const STALLED = 200;

/** Ids of the replies' chats; the five readers of a reply share one. */
const chats: string[] = [];
function chatOf(index: number): string {
  chats[index] ??= crypto.randomUUID();
  return chats[index];
}

it(`${STALLED} readers that never read cost little and disturb nobody`, async () => {
  const people = await createPeople(server, 10);
  const word = uniqueWord();
  const gaps: number[] = [];
  const streams = people.flatMap((person, index) =>
    Array.from({ length: 5 }, async () => {
      const text = `${word}-${index} [[answer:lorem]] [[tokens:2000]] [[tps:20]]`;
      let last = 0;
      const response = await stream(person, text, { chatId: chatOf(index), key: `${word}-${index}` });
      return readEvents(response, () => {
        if (last > 0) gaps.push(performance.now() - last);
        last = performance.now();
        return false;
      });
    }),
  );
  const owner = await createPerson(server);
  const long = await send(owner, `${uniqueWord()} [[mode:endless]]`);
  await waitForEnd(owner, long.body.generation.id);
  await eventually(async () => (await metric(server, 'site_event_streams')) === 50);
  const path = `/api/generations/${long.body.generation.id}/events`;
  // Serving this much grows the process in any case, so only the growth by stalled readers is measured.
  const reader = new StalledReaders(server, owner, STALLED, { reading: true });
  for (let round = 0; round < 5; round++) await reader.ask(path);
  reader.end();
  const stalled = new StalledReaders(server, owner, STALLED);
  await stalled.fill();
  const before = await metric(server, 'process_resident_memory_bytes');
  let peak = before;
  await eventually(async () => {
    await stalled.ask(path);
    peak = Math.max(peak, await metric(server, 'process_resident_memory_bytes'));
    return stalled.open === 0;
  });
  stalled.end();
  await eventually(async () => (await metric(server, 'site_event_streams')) === 50);
  expect((peak - before) / 2 ** 20).toBeLessThan(150);
  for (const person of people) {
    const { rows } = await server.database.query<{ id: string }>(
      `select id from generations where user_id = $1 and state = 'running'`,
      [person.id],
    );
    for (const { id } of rows) await stop(person, id);
  }
  for (const events of await Promise.all(streams))
    expect(events.at(-1)).toMatchObject({ data: { state: 'stopped' } });
  gaps.sort((a, b) => a - b);
  expectWithin(gaps[Math.floor(gaps.length * 0.99)] ?? Number.NaN, 500);
});

it('every invariant holds', () => expectConsistent(server));
