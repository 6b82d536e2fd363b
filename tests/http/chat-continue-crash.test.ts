import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import {
  openChat,
  requestVersion,
  send,
  stop,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { createPerson, personAt } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let standIns: RunningStandIns;
let first: TestServer;
let second: TestServer;
const start = (databaseUrl?: string) =>
  startTestServer({ postgres: inject('postgres'), databaseUrl, standins: standIns.base });
beforeAll(async () => {
  standIns = await spawnStandIns();
  first = await start();
});
afterAll(async () => {
  await second?.stop();
  await first.stop();
  await standIns.remove();
});

test.runIf(soak)(
  'kill -9 during a continuation keeps the earlier text and what had arrived, and returns the credit',
  async () => {
    const person = await createPerson(first);
    const sent = await send(person, `${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:100]]`);
    await waitForText(person, sent.body.generation.id, 60);
    await stop(person, sent.body.generation.id);
    const earlier = (await waitForEnd(person, sent.body.generation.id)).text;
    // Chooses another branch; the next continuation resets that choice.
    await person.send('PUT', `/api/chats/${sent.chatId}/branch`, { messageId: sent.body.message.id });

    const { body } = await requestVersion(person, 'continue', sent.chatId, sent.body.reply.id);
    expect(body.credits).toBe(8);
    await waitForText(person, body.generation.id, 200);
    // Text in the run log survives the crash.
    const logged = await eventually(async () => {
      const { rows } = await first.database.query<{ length: number }>(
        'select coalesce(max(seq_to), 0) as length from generation_chunks where generation_id = $1',
        [body.generation.id],
      );
      return rows[0]?.length;
    });
    await first.kill();
    second = await start(first.databaseUrl);
    const restarted = personAt(second, person);
    const view = await waitForEnd(restarted, body.generation.id);
    expect(view).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
    expect(view.text.length).toBeGreaterThanOrEqual(logged);
    const reply = (await openChat(restarted, sent.chatId)).messages.at(-1);
    expect(reply).toMatchObject({
      id: body.reply.id,
      content: earlier + view.text,
      takenOver: earlier.length,
      state: 'interrupted',
      versions: [sent.body.reply.id, body.reply.id],
    });
    expect(reply?.content).toMatch(/^(w\d{4} )*w?\d{0,4}$/);
    const words = reply?.content.match(/w\d{4}/g) ?? [];
    expect(words).toEqual(words.map((_, index) => `w${String(index + 1).padStart(4, '0')}`));
    expect(await person.credits()).toBe(9);
    const { rows } = await second.database.query('select tip_id from chat_sessions where id = $1', [
      sent.chatId,
    ]);
    expect(rows).toEqual([{ tip_id: null }]);

    // The reply can be continued again from its current end.
    const next = await requestVersion(restarted, 'continue', sent.chatId, body.reply.id);
    await waitForText(restarted, next.body.generation.id, 10);
    await stop(restarted, next.body.generation.id);
    const continued = await waitForEnd(restarted, next.body.generation.id);
    expect((await openChat(restarted, sent.chatId)).messages.at(-1)).toMatchObject({
      content: earlier + view.text + continued.text,
      takenOver: earlier.length + view.text.length,
    });
    expect(await person.credits()).toBe(8);
  },
);

test.runIf(soak)('every invariant holds', () => expectConsistent(second));
