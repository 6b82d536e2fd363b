import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  follow,
  gatewayLog,
  listen,
  startedReply,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { createPeople, createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const dropAll = () =>
  server.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'site%'`,
  );

it.runIf(soak)(
  'a database that repeatedly drops every connection loses no text, and every reply is charged once',
  async () => {
    const people = await createPeople(server, 8);
    const word = uniqueWord();
    const streams = await Promise.all(
      people.map(async (person, index) =>
        listen(
          await stream(
            person,
            `${word}-${index}. [[answer:lorem]] [[tokens:${150 + index * 20}]] [[tps:80]]`,
          ),
        ),
      ),
    );
    await eventually(async () => streams.every(({ events }) => textOf(events) !== ''));
    const receivedLength = () => streams.reduce((sum, { events }) => sum + textOf(events).length, 0);
    const allEnded = Promise.all(streams.map((each) => each.finished)).then(() => true);
    for (let ended = false; !ended; ) {
      const before = receivedLength();
      await dropAll();
      ended = await Promise.race([
        allEnded,
        eventually(async () => receivedLength() > before + 300, 3_000).then(
          () => false,
          () => false,
        ),
      ]);
    }
    for (const [index, person] of people.entries()) {
      const { id } = startedReply(streams[index]?.events ?? []).generation;
      const view = await waitForEnd(person, id);
      expect(view).toMatchObject({ state: 'done', creditsCharged: 1 });
      const [call, ...more] = await gatewayLog(server, `${word}-${index}.`);
      expect(more).toEqual([]);
      expect(view.text).toBe(call?.sentText);
      const received = streams[index]?.events ?? [];
      const rest = await follow(person, id, { at: received.findLast((each) => each.id)?.id });
      expect(textOf(rest, textOf(received))).toBe(view.text);
      expect(await person.credits()).toBe(9);
    }
  },
);

it('charges nothing for a run whose admission was never acknowledged', async () => {
  const person = await createPerson(server);
  const id = randomUUID();
  // As if the connection broke between commit and acknowledgement: credits are held, but no process knows the run.
  await server.database.query(
    `select admit_generation($1, $2, 'title', 1, 1, 'a lost answer', decode('00', 'hex'), '{}', true, true, false, 3, 2, null, 20, 60,
       (select owner from engine_leases limit 1), null, null)`,
    [id, person.id],
  );
  expect(await person.credits()).toBe(9);
  // Runs of a process that does not know them are closed once they are 10 seconds old.
  await server.database.query(
    `update generations set created_at = created_at - interval '10 seconds' where id = $1`,
    [id],
  );
  expect(await waitForEnd(person, id)).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
  expect(await person.credits()).toBe(10);
});

it('every invariant holds', () => expectConsistent(server));
