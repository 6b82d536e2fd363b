import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogView } from '../request-log.ts';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { ask, finishReasons, post, usages, userBody } from './client.fixture.ts';

let running: RunningStandIns;
const QUICK = '[[tps:0]][[first:0]]';
beforeAll(async () => {
  running = await spawnStandIns();
});
afterAll(() => running.remove());

function raw(text: string): string {
  return `[[raw:${Buffer.from(text).toString('base64')}]]${QUICK}`;
}

async function answerText(body: Record<string, unknown>): Promise<string> {
  const answer = (await (await post(running.base, { ...body, stream: false })).json()) as {
    choices: { message: { content: string } }[];
  };
  return answer.choices[0]!.message.content;
}

describe('an answer', () => {
  test('uses the words of the request, says what it is, and contains no markers', async () => {
    const { text } = await ask(running.base, userBody(`How do tides follow the moon? ${QUICK}`));
    expect(text).toContain('local stand-in, not a model');
    expect(text).toContain('> How do tides follow the moon?');
    expect(text).toContain('- **tides**, once');
    expect(text).not.toContain('[[');
  });

  test('shows every kind of content on request, and says what it is', async () => {
    const { text } = await ask(running.base, userBody(`Show me what a reply can look like. ${QUICK}`));
    expect(text).toContain('local stand-in, not a model');
    for (const kind of [/^## /m, /^\| --- /m, /^```typescript$/m, /^\$\$$/m, /^1\. /m, /^- \[x\]/m, /^> /m])
      expect(text).toMatch(kind);
    expect(text.split(/\s+/).length).toBeGreaterThan(300);
  });

  test('refers to earlier turns', async () => {
    const messages = [
      { role: 'user', content: 'Who built the bridge?' },
      { role: 'assistant', content: 'Nobody knows.' },
      { role: 'user', content: [{ type: 'text', text: `And when? ${QUICK}` }] },
    ];
    const text = await answerText({ model: 'm', messages });
    expect(text).toContain('turn 2 of our conversation. You began with “Who built the bridge?”');
  });

  test('continues an interrupted reply of its own, and repeats the answer otherwise', async () => {
    const question = { role: 'user', content: `Tell me about rivers [[tokens:80]] ${QUICK}` };
    const all = await answerText({ model: 'm', messages: [question] });
    const instruction = { role: 'user', content: 'Continue exactly where it stops.' };
    const continueFrom = (content: string) =>
      answerText({ model: 'm', messages: [question, { role: 'assistant', content }, instruction] });
    expect(await continueFrom(all.slice(0, 101))).toBe(all.slice(101));
    for (const other of ['something else', all]) expect(await continueFrom(other)).toBe(all);
  });

  test('describes pictures by their bytes', async () => {
    const sizes = { png: [30, 20], jpeg: [40, 50], webp: [60, 70] } as const;
    const parts = await Promise.all(
      Object.entries(sizes).map(async ([format, [width, height]]) => {
        const sharpImage = sharp({ create: { width, height, channels: 3, background: 'red' } });
        const data = (await sharpImage.toFormat(format as 'png').toBuffer()).toString('base64');
        return { type: 'image_url', image_url: { url: `data:image/${format};base64,${data}` } };
      }),
    );
    const content = [{ type: 'text', text: `What is this? ${QUICK}` }, ...parts];
    const text = await answerText({ model: 'm', messages: [{ role: 'user', content }] });
    expect(text).toContain(
      '3 images (image/png, 30 x 20 pixels; image/jpeg, 40 x 50 pixels; image/webp, 60 x 70 pixels)',
    );
    const log = (await (await fetch(`${running.base}/log?contains=What%20is%20this`)).json()) as LogView[];
    expect(log[0]?.detail.pictures).toMatchObject([{ width: 30 }, { width: 40 }, { width: 60 }]);
  });

  test.each(['https://example.com/x.png', 'data:image/png;base64,aGVsbG8=', 'data:text/html;base64,PGI+'])(
    'refuses %s as a picture',
    async (url) => {
      const content = [{ type: 'image_url', image_url: { url } }];
      const answer = await post(running.base, { model: 'm', messages: [{ role: 'user', content }] });
      expect(answer.status).toBe(400);
    },
  );

  test('quotes a text that came with the message, with page numbers', async () => {
    const document = '[Page 1]\nTides rise twice a day.\n[Page 2]\nThe moon pulls at the sea.';
    const content = [`What of the moon? ${QUICK}`, document].map((text) => ({ type: 'text', text }));
    const text = await answerText({ model: 'm', messages: [{ role: 'user', content }] });
    expect(text).toContain('> What of the moon?');
    expect(text).not.toContain('> What of the moon? Tides');
    expect(text).toContain('> The moon pulls at the sea. (page 2)');
  });

  test('reports usage last, in a chunk without choices, with a cost', async () => {
    const answer = await ask(running.base, userBody(`Hello ${QUICK}`));
    expect(answer.events.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: expect.any(Number) },
    });
    expect(usages(answer)[0]!.cost).toBeGreaterThan(0);
    const id = answer.headers.get('x-generation-id');
    expect(id).toBe((answer.events[0] as { id: string }).id);
    const headers = { authorization: 'Bearer test' };
    const found = await (await fetch(`${running.base}/gateway/v1/generation?id=${id}`, { headers })).json();
    expect(found.data).toMatchObject({ id, cancelled: false, total_cost: usages(answer)[0]!.cost });
  });

  test('is cut at max_tokens', async () => {
    const answer = await ask(running.base, userBody(`Tell me about rivers ${QUICK}`, { max_tokens: 10 }));
    expect(finishReasons(answer)).toEqual(['length']);
    expect(usages(answer)[0]!.completion_tokens).toBe(10);
  });

  test.each([60, 400, 1500])('has about %i words on request', async (count) => {
    const text = await answerText(userBody(`Write about old harbours in ${count} words. ${QUICK}`));
    expect(Math.abs(text.split(/\s+/).length - count)).toBeLessThan(count * 0.1 + 15);
    expect(text).toContain('harbours');
  });

  test('has exactly the requested number of tokens', async () => {
    const answer = await ask(running.base, userBody(`Tell me about rivers [[tokens:500]]${QUICK}`));
    expect(usages(answer)[0]!.completion_tokens).toBe(500);
    expect(finishReasons(answer)).toEqual(['stop']);
  });

  test('contains code if the message asks for code', async () => {
    expect(await answerText(userBody(`A Python function that counts birds ${QUICK}`))).toMatch(
      /```python\n#.*\ndef /,
    );
  });

  test.each([
    '\r\n\r\ndata: x\n\nevent: done\n',
    'é😀漢👩‍👩‍👧',
    ' \t leading and trailing \n\n',
    'x'.repeat(5000),
  ])('is exactly the raw text %j', async (text) => {
    expect((await ask(running.base, userBody(raw(text)))).text).toBe(text);
  });

  test('is sent at the chosen speed', async () => {
    const startTime = performance.now();
    await ask(running.base, userBody('[[answer:lorem]][[tokens:20]][[tps:100]][[first:50]]'));
    const took = performance.now() - startTime;
    expect(took).toBeGreaterThan(50 + 19 * 10 - 15);
  });
});

describe('a title', () => {
  const messages = [
    { role: 'system', content: 'Give a short title for this conversation.' },
    {
      role: 'user',
      content: `Could you explain [[mode:stall]] why the northern lights appear green? ${QUICK}`,
    },
  ];
  test('consists of words of the user, whatever the mode of the answer', async () => {
    expect(await answerText({ model: 'm', max_tokens: 30, messages })).toBe(
      'Explain northern lights appear green',
    );
  });
  test('fails if the title marker says so', async () => {
    const failing = messages.map((m) => ({ ...m, content: m.content.replace('mode:stall', 'title:500') }));
    expect((await post(running.base, { model: 'm', max_tokens: 30, messages: failing })).status).toBe(500);
  });
});

describe('refusals', () => {
  test('a request without a key', async () => {
    const answer = await fetch(`${running.base}/gateway/v1/chat/completions`, { method: 'POST' });
    expect([answer.status, (await answer.json()).error.code]).toEqual([401, 401]);
  });
  test.each([
    [{ messages: [] }],
    [{ model: 'm', messages: [] }],
    [{ model: 'm', messages: [{ role: 'boss', content: 'x' }] }],
    [{ ...userBody('x'), max_tokens: -1 }],
    [{ ...userBody('x'), response_format: { type: 'json_schema' } }],
    [userBody('[[mode:none]]')],
  ])('%j', async (body) => {
    const answer = await post(running.base, body);
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, 400]);
  });
});

test("models and key have OpenRouter's form", async () => {
  const read = async (path: string) =>
    (await fetch(`${running.base}/gateway/v1${path}`, { headers: { authorization: 'Bearer k' } })).json();
  const models = await read('/models');
  expect(models.data.map((model: { id: string }) => model.id)).toContain('standin/miderror');
  expect((await read('/key')).data).toMatchObject({ limit: null, is_free_tier: false });
  expect((await read('/credits')).error.code).toBe(403);
});

test('the log survives a restart', async () => {
  const first = await spawnStandIns();
  await ask(first.base, userBody(`remember me ${QUICK}`));
  await first.stop();
  const second = await spawnStandIns({ dir: first.dir });
  await ask(second.base, userBody(`again ${QUICK}`));
  const log = (await (await fetch(`${second.base}/log`)).json()) as LogView[];
  expect(log.map((entry) => [entry.id, entry.finished])).toEqual([
    [1, true],
    [2, true],
  ]);
  expect(log[0]!.sentText).toContain('> remember me');
  await second.remove();
});
