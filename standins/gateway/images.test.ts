import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';

let running: RunningStandIns;
beforeAll(async () => {
  running = await spawnStandIns();
});
afterAll(() => running.remove());

function post(body: Record<string, unknown>, path = '/images/generations'): Promise<Response> {
  return fetch(`${running.base}/gateway/v1${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...body }),
  });
}

function readPng(base64: string) {
  const file = Buffer.from(base64, 'base64');
  expect(file.subarray(1, 4).toString()).toBe('PNG');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const data: Buffer[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12)
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(data));
  expect(raw.length).toBe((width * 3 + 1) * height);
  return { width, height, raw };
}

async function generate(body: Record<string, unknown>, path?: string) {
  const answer = await post({ ...body, prompt: `[[first:0]] ${body.prompt}` }, path);
  expect(answer.status).toBe(200);
  const { data, usage } = (await answer.json()) as {
    data: { b64_json: string; media_type: string }[];
    usage: { cost: number };
  };
  expect(usage.cost).toBeGreaterThan(0);
  return data.map((item) => readPng(item.b64_json));
}

describe('pictures', () => {
  test.each([
    [{ size: '512x512' }, 512, 512],
    [{ size: '768x512' }, 768, 512],
    [{ resolution: '1K', aspect_ratio: '16:9' }, 1360, 768],
    [{}, 1024, 1024],
  ])('%j', async (body, width, height) => {
    const [picture] = await generate({ ...body, prompt: 'a red fox in snow' }, '/images');
    expect(picture).toMatchObject({ width, height });
  });

  test('the n pictures differ; the same prompt gives the same ones, another prompt gives others', async () => {
    const body = { size: '256x256', n: 3, prompt: 'sunset over the sea' };
    const first = await generate(body);
    expect(first).toHaveLength(3);
    expect(first[0]!.raw.equals(first[1]!.raw)).toBe(false);
    const again = await generate(body);
    expect(again[2]!.raw.equals(first[2]!.raw)).toBe(true);
    const other = await generate({ ...body, n: 1, prompt: 'a forest at night' });
    expect(other[0]!.raw.equals(first[0]!.raw)).toBe(false);
  });
});

describe('refusals and faults', () => {
  test.each([
    [{ prompt: '' }],
    [{ prompt: 'x', size: '99999x1' }],
    [{ prompt: 'x', size: 'big' }],
    [{ prompt: 'x', n: 11 }],
    [{ prompt: 'x', size: '512x512', aspect_ratio: '16:9' }],
  ])('400 for %j', async (body) => {
    expect((await post(body)).status).toBe(400);
  });

  test('strictSizes refuses the sizes that the newest real model refuses', async () => {
    const strict = await spawnStandIns();
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    const send = (path: string, body: unknown) =>
      fetch(`${strict.base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await send('/control', { gateway: { strictSizes: true } });
    const image = (size: string) => send('/gateway/v1/images', { model: 'm', prompt: 'x [[first:0]]', size });
    expect((await image('512x512')).status).toBe(400);
    expect((await image('1024x1024')).status).toBe(200);
    await strict.remove();
  });

  test('faulty pictures by name', async () => {
    const faulty = async (name: string) => {
      const answer = await post({ prompt: `x [[picture:${name}]][[first:0]]`, size: '64x64' });
      return { status: answer.status, body: await answer.json() };
    };
    const bytes = async (name: string) => Buffer.from((await faulty(name)).body.data[0].b64_json, 'base64');
    expect((await bytes('jpeg')).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect((await bytes('webp')).toString('latin1', 8, 12)).toBe('WEBP');
    expect((await bytes('gif')).toString('latin1', 0, 3)).toBe('GIF');
    const bomb = await bytes('bomb');
    expect([bomb.readUInt32BE(16), bomb.readUInt32BE(20), bomb.length < 100_000]).toEqual([
      30_000,
      30_000,
      true,
    ]);
    expect((await faulty('url')).body.data).toEqual([{ url: expect.stringMatching(/^http:/) }]);
    expect((await faulty('none')).body.data).toEqual([]);
    expect(await faulty('blocked')).toMatchObject({
      status: 400,
      body: { error: { code: 'moderation_blocked' } },
    });
    expect((await faulty('nonsense')).status).toBe(400);
    expect((await faulty('plain')).status).toBe(200);
  });

  test('calls with a request id get their own pictures', async () => {
    const pictureOf = async (id: string) => {
      const answer = await fetch(`${running.base}/gateway/v1/images`, {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json', 'x-request-id': id },
        body: JSON.stringify({ model: 'm', prompt: 'a tree [[first:0]]', size: '64x64' }),
      });
      return (await answer.json()).data[0].b64_json as string;
    };
    const [one, two, again] = [await pictureOf('a'), await pictureOf('b'), await pictureOf('a')];
    expect([one === two, one === again]).toEqual([false, true]);
  });

  test('modes', async () => {
    expect((await post({ prompt: 'x [[mode:403]]' })).status).toBe(403);
    const truncated = await post({ prompt: 'x [[mode:eof]][[first:0]]', size: '64x64' });
    await expect(truncated.json()).rejects.toThrow();
    const empty = await (await post({ prompt: 'x [[mode:nullcontent]][[first:0]]', size: '64x64' })).json();
    expect(empty.data).toEqual([]);
    const mislabelled = await (await post({ prompt: 'x [[mode:badjson]][[first:0]]', size: '64x64' })).json();
    expect(Buffer.from(mislabelled.data[0].b64_json, 'base64').toString()).toContain('<svg');
  });
});
