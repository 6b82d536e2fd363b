import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { sampleOf } from '#tests/support/soak.ts';
import { containImage } from './contain.server.ts';

const options = { key: 'a', side: 2048, maxBytes: 1024 * 1024 };
const solid = (width: number, height: number, alpha?: number) =>
  sharp({
    create: {
      width,
      height,
      channels: alpha === undefined ? 3 : 4,
      background: { r: 20, g: 120, b: 220, alpha: alpha ?? 1 },
    },
  });

describe('containImage', () => {
  test.each([
    [4000, 1000, 2048, 512],
    [1000, 4000, 512, 2048],
    [2048, 2048, 2048, 2048],
    [30, 20, 30, 20],
    [20_000, 1, 2048, 1],
  ])('%i x %i becomes %i x %i', async (width, height, ...size) => {
    const image = await containImage(await solid(width, height).png().toBuffer(), options);
    expect([image.type, image.width, image.height]).toEqual(['image/jpeg', ...size]);
    expect(await sharp(image.bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: size[0],
      height: size[1],
    });
  });

  test.each([
    [0.5, 'image/webp'],
    [1, 'image/jpeg'],
  ])('turns a picture with an alpha of %f into %s', async (alpha, type) => {
    const image = await containImage(await solid(50, 50, alpha).png().toBuffer(), options);
    expect(image.type).toBe(type);
    expect((await sharp(image.bytes).metadata()).hasAlpha).toBe(type === 'image/webp');
  });

  test('accepts grayscale and CMYK pictures', async () => {
    const grayscale = await solid(40, 40).greyscale().toColourspace('b-w').png().toBuffer();
    const cmyk = await solid(40, 40).toColourspace('cmyk').jpeg().toBuffer();
    for (const file of [grayscale, cmyk])
      expect(await sharp((await containImage(file, options)).bytes).metadata()).toMatchObject({ width: 40 });
  });

  test.each(sampleOf([undefined, 0.5]))(
    'keeps noise within the size limit, alpha %s',
    async (alpha) => {
      const noise = await sharp({
        create: {
          width: 2048,
          height: 2048,
          channels: 3,
          background: 'black',
          noise: { type: 'gaussian', mean: 128, sigma: 120 },
        },
      })
        .ensureAlpha(alpha ?? 1)
        .png()
        .toBuffer();
      const image = await containImage(noise, options);
      expect(image.bytes.length).toBeLessThanOrEqual(options.maxBytes);
      expect(image.width).toBe(image.height);
      expect(image.width).toBeGreaterThanOrEqual(512);
    },
    30_000,
  );
});
