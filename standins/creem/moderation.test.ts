import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';

let running: RunningStandIns;
beforeAll(async () => {
  running = await spawnStandIns();
});
afterAll(() => running.remove());

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(running.base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const key = { 'x-api-key': 'creem_test_x' };
const moderate = (prompt: unknown, headers: Record<string, string> = key) =>
  send('/creem/v1/moderation/prompt', { prompt, external_id: 'e1' }, headers);
const fault = (moderation: string) => send('/control', { creem: { moderation } });

afterEach(() => fault('ok'));

test.each([
  ['a lighthouse at dusk', 'allow'],
  ['a nude in oil', 'deny'],
  ['a battlefield with blood and gore', 'flag'],
  ['a lighthouse [[moderation:deny]]', 'deny'],
  ['a nude [[moderation:allow]]', 'allow'],
  ['a bloom of skylarks', 'allow'],
])('%s: %s', async (prompt, decision) => {
  const answer = await moderate(prompt);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    id: expect.stringMatching(/^mod_\w{22}$/),
    object: 'moderation_result',
    prompt,
    external_id: 'e1',
    decision,
    usage: { units: 1 },
  });
});

test('without markers only the words of a prompt decide', async () => {
  const plain = await spawnStandIns({ env: { STANDINS_MARKERS: '' } });
  const answer = await fetch(`${plain.base}/creem/v1/moderation/prompt`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'a boat [[moderation:deny]]' }),
  });
  expect(await answer.json()).toMatchObject({ decision: 'allow' });
  await plain.remove();
});

test.each([[{}], [{ 'x-api-key': '' }], [{ 'x-api-key': 'sk-1' }]])(
  'a bad key %j gets 403 without a message',
  async (headers) => {
    const answer = await moderate('x', headers as Record<string, string>);
    expect(answer.status).toBe(403);
    const body = (await answer.json()) as object;
    expect(body).toMatchObject({ status: 403, error: 'Forbidden', trace_id: expect.any(String) });
    expect(body).not.toHaveProperty('message');
  },
);

test.each([[''], [undefined], [7], ['x'.repeat(32_001)]])('a missing prompt %#: 400', async (prompt) => {
  const answer = await moderate(prompt);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ message: [expect.any(String)], timestamp: expect.any(Number) }),
  ]);
});

describe('faults', () => {
  test.each([
    ['status500', 500],
    ['status429', 429],
    ['html', 200],
    ['malformed', 200],
  ])('%s', async (name, status) => {
    await fault(name);
    const answer = await moderate('x');
    expect(answer.status).toBe(status);
    const body = await answer.text();
    if (status === 200) expect(() => JSON.parse(body)).toThrow();
    else expect(JSON.parse(body)).toMatchObject({ status });
  });

  test('down, odd, and slow until its release', async () => {
    await fault('down');
    await expect(moderate('x')).rejects.toThrow();
    await fault('odd');
    expect(await (await moderate('x')).json()).toMatchObject({ decision: 'escalate' });
    await fault('slow');
    const held = moderate('slow boat');
    let released = 0;
    while (released === 0) {
      const answer = await send('/control', { release: 'slow boat' });
      ({ released } = ((await answer.json()) as { release: { released: number } }).release);
    }
    expect(await (await held).json()).toMatchObject({ decision: 'allow' });
  });

  test('an unknown fault is refused with the known names', async () => {
    const answer = await fault('asleep');
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('status500')]);
  });
});

test('prompts and decisions are logged', async () => {
  await moderate('a very particular heron');
  const log = await fetch(`${running.base}/log?contains=particular%20heron&path=/creem/v1/moderation/prompt`);
  expect(await log.json()).toMatchObject([
    { detail: { kind: 'moderation', decision: 'allow' }, status: 200 },
  ]);
});
