import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { heicOfSize, turnedHeic } from '../support/heic.ts';
import { createPerson } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

test('an image from an iPhone is stored as a JPEG, rotated as its file says', async () => {
  const owner = await createPerson(server);
  const { status, body } = await upload(server, owner, turnedHeic, { name: 'IMG_0001.HEIC' });
  expect([status, body]).toMatchObject([201, { kind: 'image', width: 64, height: 96, note: null }]);
  const response = await owner.get(`/api/files/${body.id}`);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colour = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue';
  };
  expect([colour(8, 8), colour(56, 88), colour(8, 88)]).toEqual(['red', 'red', 'blue']);
});

test('an undecodable image is refused with advice for iPhones, at no cost', async () => {
  const owner = await createPerson(server);
  const brokenFiles = {
    'cut off': turnedHeic.subarray(0, 300),
    'no image': Buffer.concat([turnedHeic.subarray(0, 40), Buffer.alloc(5_000, 0xff)]),
    damaged: Buffer.concat([turnedHeic.subarray(0, -84), Buffer.alloc(84, 0x55)]),
  };
  for (const [kind, bytes] of Object.entries(brokenFiles)) {
    const { status, body } = await upload(server, owner, bytes, { name: 'a.heic' });
    expect([kind, status, body.error]).toEqual([kind, 400, expect.stringContaining('Most Compatible')]);
  }
  for (const [width, height] of [
    [20_000, 20_000],
    [0xffff_ffff, 0xffff_ffff],
  ] as const) {
    const { status } = await upload(server, owner, heicOfSize(width, height), { name: 'a.heic' });
    expect([400, 413]).toContain(status);
  }
  expect(await owner.credits()).toBe(10);
});

test('every invariant holds', () => expectConsistent(server));
