import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { useTestDatabase } from '#tests/support/database.ts';
import { insertShown } from './shown-text-store.server.ts';
import {
  abandonedRows,
  appendChunks,
  heartbeat,
  loggedText,
  ownGenerationWithLog,
  takeOver,
} from './store.server.ts';

let end: () => Promise<void>;
const userId = randomUUID();
beforeAll(async () => {
  end = await useTestDatabase(inject('postgres'));
  await database().run(sql`insert into users (id, name) values (${userId}, 'Somebody')`);
});
afterAll(() => end());

async function run(owner: string, secondsAgo = 0): Promise<string> {
  const id = randomUUID();
  await database().run(sql`
    insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, created_at)
    values (${id}, ${userId}, 'chat', 'running', true, ${id}, decode('00', 'hex'), 0, ${owner},
            app_now() - ${secondsAgo}::int * interval '1 second')`);
  return id;
}

it('rewrites an unacknowledged chunk, extended by newer text', async () => {
  const id = await run('me');
  const chunk = { id, epoch: 1, from: 0 };
  expect(await appendChunks(database(), [{ ...chunk, to: 5, text: 'hello' }])).toEqual(new Set([id]));
  expect(await appendChunks(database(), [{ ...chunk, to: 11, text: 'hello world' }])).toEqual(new Set([id]));
  await appendChunks(database(), [{ id, epoch: 1, from: 11, to: 12, text: '.' }]);
  expect(await loggedText(database(), id, 1)).toEqual({ from: 0, text: 'hello world.' });
  expect(await loggedText(database(), id, 1, 7)).toEqual({ from: 7, text: 'orld.' });
  expect((await ownGenerationWithLog(database(), userId, id))?.logged).toBe(12);
});

it('writes nothing for a run with a later epoch or for an unknown run', async () => {
  const id = await run('me');
  await database().run(sql`update generations set epoch = 2 where id = ${id}`);
  const chunk = { from: 0, to: 1, text: 'x', epoch: 1 };
  expect(
    await appendChunks(database(), [
      { ...chunk, id },
      { ...chunk, id: randomUUID() },
    ]),
  ).toEqual(new Set());
  expect((await ownGenerationWithLog(database(), userId, id))?.logged).toBe(0);
});

it('finds abandoned runs', async () => {
  await heartbeat(database(), 'me', 8_000);
  await heartbeat(database(), 'alive', 8_000);
  await heartbeat(database(), 'late', -1);
  const live = [await run('me', 60)];
  const forgotten = await run('me', 60);
  await run('me', 1);
  await run('alive', 60);
  const abandoned = [forgotten, await run('late'), await run('gone')];
  const [own, lapsed] = abandoned;
  const find = async (trusted: boolean) => {
    const found = await abandonedRows(database(), { owner: 'me', live, trusted, limit: 100 });
    return found.map(({ id }) => id).sort();
  };
  expect(await find(false)).toEqual(abandoned.filter((id) => id !== lapsed).sort());
  expect(await find(true)).toEqual([...abandoned].sort());
  const takeOverRun = async (id = '', read = { logged: 0, shown: 0 }) => {
    const taken = takeOver({ id, epoch: 1, ...read }, 'me');
    return (await database().row<{ epoch: number | null }>(sql`select ${taken} as epoch`))?.epoch;
  };
  // Meanwhile this process shows texts of other runs.
  await insertShown(database(), 'me', 7, [{ id: randomUUID(), from: 0, text: 'y' }]);
  // More of the text is stored than was read.
  await appendChunks(database(), [{ id: own ?? '', epoch: 1, from: 0, to: 1, text: 'x' }]);
  expect(await takeOverRun(own)).toBeNull();
  expect(await takeOverRun(own, { logged: 1, shown: 0 })).toBe(2);
  await insertShown(database(), 'late', 3, [{ id: lapsed ?? '', from: 0, text: 'z' }]);
  expect(await takeOverRun(lapsed)).toBeNull();
  // Its writer renewed its lease between the query and the take-over.
  await heartbeat(database(), 'late', 8_000);
  expect(await takeOverRun(lapsed, { logged: 0, shown: 3 })).toBeNull();
});
