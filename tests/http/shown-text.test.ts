import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import {
  follow,
  listen,
  openChat,
  startedReply,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { release } from '../support/gateway.ts';
import { createPeople, createPerson, personAt } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { databaseTarget, startProxy, type TcpProxy, throughProxy } from '../support/proxy.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let standIns: RunningStandIns;
let surviving: TestServer;
let killed: TestServer;
/** One between the surviving process and the database. */
let proxy: TcpProxy;
beforeAll(async () => {
  standIns = await spawnStandIns();
  const postgres = inject('postgres');
  const databaseUrl = await makeDatabase(postgres);
  proxy = await startProxy(databaseTarget(databaseUrl));
  const shared = { postgres, standins: standIns.base };
  surviving = await startTestServer({ ...shared, databaseUrl: throughProxy(databaseUrl, proxy.port) });
  killed = await startTestServer({ ...shared, databaseUrl, dataDir: surviving.dataDir });
});
afterAll(async () => {
  for (const server of [killed, surviving]) await server.stop();
  await proxy.down();
  await standIns.remove();
});

const heldPrompt = (word: string, tokens: number) =>
  `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:${tokens}]] [[tokens:${tokens + 20}]] [[tps:0]]`;

/** Blocks writes to the run log until the returned function is called. */
async function holdLog(): Promise<() => Promise<void>> {
  const client = await killed.database.connect();
  await client.query('begin');
  await client.query('lock table generation_chunks in share mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

it('is stored before it is shown, so that a process that dies takes nothing back', async () => {
  const person = await createPerson(surviving);
  const remote = personAt(killed, person);
  const word = uniqueWord();
  const unlock = await holdLog();
  const live = listen(await stream(remote, heldPrompt(word, 40)));
  await eventually(async () => textOf(live.events).includes('w0040'));
  const { generation, chat } = startedReply(live.events);
  const { rows: log } = await surviving.database.query(
    'select 1 from generation_chunks where generation_id = $1',
    [generation.id],
  );
  expect(log).toEqual([]);
  const shown = textOf(live.events);
  // Another process continues with text that is not in the log yet.
  const continued = await follow(person, generation.id, { at: '1-60', until: (events) => events.length > 0 });
  expect(continued).toMatchObject([{ event: 'delta', data: { text: shown.slice(60) } }]);
  // A position after all shown text is unknown to it, so it starts over.
  const restarted = await follow(person, generation.id, {
    at: '1-99999',
    until: (events) => events.length > 0,
  });
  expect(restarted).toMatchObject([{ event: 'reset', data: { text: shown } }]);
  await killed.kill();
  // Otherwise the database would still execute the dead process's last statement.
  await surviving.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%insert into generation_chunks%'`,
  );
  // Its lease would expire by itself after 8 seconds, which tests/http/crash.test.ts proves.
  await surviving.database.query(
    'update engine_leases l set lease_until = app_now() from generations g where g.id = $1 and l.owner = g.owner',
    [generation.id],
  );
  await unlock();
  const rest = await follow(person, generation.id, { at: `1-${shown.length}` });
  expect(rest).toMatchObject([{ event: 'end', data: { state: 'interrupted', creditsCharged: 0 } }]);
  expect((await waitForEnd(person, generation.id)).text).toBe(shown);
  expect((await openChat(person, chat.id)).messages[1]).toMatchObject({ content: shown });
  // The pieces are deleted once all runs of the process are closed.
  await eventually(async () => {
    const { rows: leftovers } = await surviving.database.query(
      `select s.owner from shown_pieces s join generations g on g.owner = s.owner where g.id = $1`,
      [generation.id],
    );
    return leftovers.length === 0;
  });
});

it('is still shown while the database does not answer', async () => {
  const person = await createPerson(surviving);
  const word = uniqueWord();
  const live = listen(await stream(person, heldPrompt(word, 20)));
  const { id } = await eventually(async () => live.events.length > 1 && startedReply(live.events).generation);
  await waitForText(person, id, 100);
  proxy.stall();
  await release(surviving, word);
  await eventually(async () => textOf(live.events).includes('w0040'));
  expect(live.events.some(({ event }) => event === 'end')).toBe(false);
  proxy.resume();
  await live.finished;
  expect(live.events.at(-1)).toMatchObject({ event: 'end', data: { state: 'done' } });
  expect(live.events.some(({ event }) => event === 'reset')).toBe(false);
  expect((await waitForEnd(person, id)).text).toBe(textOf(live.events));
});

it.runIf(soak)('of many runs of a dead process is stored while one of them is blocked', async () => {
  const { databaseUrl } = killed;
  await killed.stop();
  killed = await startTestServer({
    postgres: inject('postgres'),
    standins: standIns.base,
    databaseUrl,
    dataDir: surviving.dataDir,
  });
  const people = await createPeople(surviving, 6);
  const lives = await Promise.all(
    people.map(async (person) =>
      listen(await stream(personAt(killed, person), heldPrompt(uniqueWord(), 10))),
    ),
  );
  await eventually(async () => lives.every(({ events }) => textOf(events).includes('w0010')));
  const ids = lives.map(({ events }) => startedReply(events).generation.id);
  const client = await surviving.database.connect();
  await client.query('begin');
  await client.query('select 1 from generations where id = $1 for update', [ids[0]]);
  await killed.kill();
  for (const [at, person] of people.entries())
    if (at > 0)
      expect(await waitForEnd(person, ids[at] ?? '')).toMatchObject({
        state: 'interrupted',
        text: textOf(lives[at]?.events ?? []),
      });
  await client.query('rollback');
  client.release();
  expect(await waitForEnd(people[0]!, ids[0] ?? '')).toMatchObject({
    state: 'interrupted',
    creditsCharged: 0,
  });
});

it('is deleted once the log has it', async () => {
  await eventually(async () => {
    const { rows } = await surviving.database.query('select 1 from shown_pieces');
    return rows.length === 0;
  });
  await expectConsistent(surviving);
});
