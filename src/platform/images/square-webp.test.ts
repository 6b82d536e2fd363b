import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { squareWebp } from './square-webp.server.ts';

const options = { key: 'a', side: 256, maxBytes: 65_536 };
const red = { r: 220, g: 20, b: 20 };
const blue = { r: 20, g: 20, b: 220 };

const twoColors = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: blue } },
      left: width / 2,
      top: 0,
    },
  ]);

async function colorAt(picture: Buffer, left: number, top: number): Promise<'red' | 'blue'> {
  const pixel = await sharp(picture).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return (pixel[0] ?? 0) > (pixel[2] ?? 0) ? 'red' : 'blue';
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG with a header and no pixels. */
function pngHead(head: {
  side: number;
  height?: number;
  bits: number;
  color: number;
  interlaced: boolean;
}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(head.side, 0);
  header.writeUInt32BE(head.height ?? head.side, 4);
  header.set([head.bits, head.color, 0, 0, head.interlaced ? 1 : 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = pngChunk('IDAT', Buffer.from([0x78, 0x9c]));
  return Buffer.concat([signature, pngChunk('IHDR', header), data, pngChunk('IEND', Buffer.alloc(0))]);
}

describe('squareWebp', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('turns a %s into a square of 256 pixels', async (format) => {
    const square = await squareWebp(await twoColors(800, 300).toFormat(format).toBuffer(), options);
    expect(await sharp(square).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    expect(square.length).toBeLessThanOrEqual(65_536);
    expect([await colorAt(square, 20, 128), await colorAt(square, 236, 128)]).toEqual(['red', 'blue']);
  });

  test('rotates the picture upright and removes its location and camera', async () => {
    const file = await twoColors(400, 400)
      .jpeg()
      .withExif({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(file.includes('SecretCamera')).toBe(true);
    const square = await squareWebp(file, options);
    const { exif, icc, xmp, orientation } = await sharp(square).metadata();
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(square.includes('SecretCamera')).toBe(false);
    expect([await colorAt(square, 128, 20), await colorAt(square, 128, 236)]).toEqual(['red', 'blue']);
  });

  test('uses the first frame of an animation', async () => {
    const frames = await Promise.all(
      [red, blue].map((background) =>
        sharp({ create: { width: 64, height: 64, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const file = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0 })
      .toBuffer();
    expect((await sharp(file, { animated: true }).metadata()).pages).toBe(2);
    const square = await squareWebp(file, options);
    expect((await sharp(square, { animated: true }).metadata()).pages ?? 1).toBe(1);
    expect(await colorAt(square, 128, 128)).toBe('red');
  });

  test('stays within 64 KiB for noise', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 120 };
    const file = await sharp({ create: { width: 300, height: 300, channels: 3, noise, background: red } })
      .png()
      .toBuffer();
    expect((await squareWebp(file, options)).length).toBeLessThanOrEqual(65_536);
  });

  test('refuses too many pixels', async () => {
    const [width, height] = [12_000, 3_000];
    const wide = await sharp({ create: { width, height, channels: 3, background: red } })
      .png()
      .toBuffer();
    expect(wide.length).toBeLessThan(1024 * 1024);
    await expect(squareWebp(wide, options)).rejects.toMatchObject({
      code: 'too_large',
      status: 413,
      message: expect.stringContaining('12,000 × 3,000 pixels'),
    });
  });

  // These files have no pixels: one that its header does not rule out fails in the decoder.
  test.each([
    [{ side: 4_899, bits: 8, color: 6, interlaced: true }, 'too_large'],
    [{ side: 4_898, bits: 8, color: 6, interlaced: true }, 'bad_request'],
    [{ side: 4_001, bits: 16, color: 2, interlaced: false }, 'too_large'],
    [{ side: 4_000, bits: 16, color: 2, interlaced: false }, 'bad_request'],
    [{ side: 3_465, bits: 16, color: 6, interlaced: true }, 'too_large'],
    [{ side: 3_464, bits: 16, color: 6, interlaced: true }, 'bad_request'],
    [{ side: 7_072, bits: 8, color: 0, interlaced: false }, 'too_large'],
    [{ side: 7_071, bits: 8, color: 0, interlaced: false }, 'bad_request'],
    [{ side: 20_001, height: 1, bits: 8, color: 0, interlaced: false }, 'too_large'],
    [{ side: 1, height: 20_001, bits: 8, color: 0, interlaced: false }, 'too_large'],
    [{ side: 20_000, height: 1, bits: 8, color: 0, interlaced: false }, 'bad_request'],
    [{ side: 40_000, bits: 1, color: 0, interlaced: false }, 'too_large'],
  ])('checks %j by its header: %s', async (head, code) => {
    await expect(squareWebp(pngHead(head), options)).rejects.toMatchObject({ code });
  });

  test('counts the coefficients that a progressive JPEG keeps in memory', async () => {
    const file = (progressive: boolean) =>
      sharp({ create: { width: 4_800, height: 4_800, channels: 3, background: red } })
        .jpeg({ progressive, quality: 20 })
        .toBuffer();
    await expect(squareWebp(await file(true), options)).rejects.toMatchObject({ code: 'too_large' });
    expect((await sharp(await squareWebp(await file(false), options)).metadata()).width).toBe(256);
  });

  test('accepts a photo of 48 million pixels from a phone', async () => {
    const file = await sharp({ create: { width: 8_064, height: 6_048, channels: 3, background: red } })
      .jpeg({ quality: 20 })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(await squareWebp(file, options)).metadata()).width).toBe(256);
  });

  test('counts a JPEG with several scans as a progressive one, by its header', async () => {
    const file = Buffer.from(await twoColors(400, 400).jpeg().toBuffer());
    const [frame, scan] = [file.indexOf('ffc0', 'hex'), file.indexOf('ffda', 'hex')];
    file.writeUInt16BE(6_048, frame + 5);
    file.writeUInt16BE(8_064, frame + 7);
    // The first scan contains only one of the three color components.
    const first = Buffer.from('ffda0008010100003f00', 'hex');
    const multiScan = Buffer.concat([file.subarray(0, scan), first, file.subarray(scan + 14)]);
    await expect(squareWebp(multiScan, options)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('accepts a picture with 16 bits per sample', async () => {
    const file = await twoColors(400, 400).toColourspace('rgb16').png({ progressive: true }).toBuffer();
    expect((await sharp(file).metadata()).depth).toBe('ushort');
    const square = await squareWebp(file, options);
    expect([await colorAt(square, 20, 128), await colorAt(square, 236, 128)]).toEqual(['red', 'blue']);
  });

  test('refuses truncated files and all other formats', async () => {
    const jpeg = await twoColors(400, 400).jpeg().toBuffer();
    const others = [
      jpeg.subarray(0, jpeg.length / 2),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      await twoColors(40, 40).gif().toBuffer(),
      await twoColors(40, 40).tiff().toBuffer(),
      Buffer.from('\x89PNG\r\n\x1a\nnothing more', 'latin1'),
    ];
    for (const file of others) {
      await expect(squareWebp(file, options)).rejects.toMatchObject({ code: 'bad_request', status: 400 });
    }
  });

  test('processes many pictures, one at a time', async () => {
    const file = await twoColors(400, 400).png().toBuffer();
    const forMany = (count: number) =>
      Array.from({ length: count }, (_, person) => squareWebp(file, { ...options, key: `${person}` }));
    const squares = await Promise.all(forMany(12));
    expect(new Set(squares.map(({ length }) => length)).size).toBe(1);
    const flood = await Promise.allSettled(forMany(30));
    // One is being made, 20 wait.
    expect(flood.filter(({ status }) => status === 'rejected').length).toBe(9);
  });

  test('processes one picture at a time for each person', async () => {
    const file = await twoColors(400, 400).png().toBuffer();
    const first = squareWebp(file, options);
    await expect(squareWebp(file, options)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 5 });
    await first;
    await squareWebp(file, options);
  });
});
