import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { memoryMb, quantile } from '../load/process.ts';
import { readStream, type StreamResult } from '../load/stream-client.ts';
import { siteTarget } from '../load/streams.ts';
import { uniqueWord } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { createPeople } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { metric } from '../support/stalled-readers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const STREAMS = 1_000;
/** Long enough that the first reply still arrives when the last one is accepted on a slow machine. */
const TOKENS = 600;
const pace = { tokensPerSecond: 20, tokenLength: 6 };

test(`${STREAMS} replies at once arrive complete and in time, and are stored as they arrived`, async () => {
  const target = siteTarget(server, await createPeople(server, STREAMS));
  const text = `${uniqueWord()} [[answer:lorem]] [[tokens:${TOKENS}]] [[tps:${pace.tokensPerSecond}]] [[first:0]]`;
  const streams: Array<Promise<StreamResult>> = [];
  // The next hundred start once these have been accepted: real people do not press in the same millisecond.
  while (streams.length < STREAMS)
    await Promise.all(
      Array.from({ length: 100 }, () => {
        const { promise, resolve: onAnswered } = Promise.withResolvers<void>();
        streams.push(readStream({ ...target.request(text, streams.length), pace, onAnswered }));
        return promise;
      }),
    );
  expect(await metric(server, 'site_event_streams')).toBe(STREAMS);
  const received = await Promise.all(streams);
  const { peak } = memoryMb(target.pid);
  const [first] = received;
  expect(first?.text.match(/w\d{4}/g)).toHaveLength(TOKENS);
  const broken = received.filter(({ complete, text: got }) => !complete || got !== first?.text);
  expect(broken.map(({ status, complete, text: got }) => ({ status, complete, length: got.length }))).toEqual(
    [],
  );
  const delays = received.flatMap((each) => each.delays);
  expect(quantile(delays, 0.99)).toBeLessThan(1_000);
  expect(peak).toBeLessThan(1_000);
  await target.settled();
  const { rows } = await server.database.query(
    `select state, credits_charged as charged, text, count(*)::int from generations
      where feature = 'chat' group by state, credits_charged, text`,
  );
  expect(rows).toEqual([{ state: 'done', charged: 1, text: first?.text, count: STREAMS }]);
});

test('every invariant holds', () => expectConsistent(server));
