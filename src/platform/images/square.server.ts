import type sharp from 'sharp';
import { Problem } from '../http/problem.server.ts';

/** A decoded picture may need 4 bytes for each of them. */
const MAX_PIXELS = 30_000_000;
const DECODES_AT_ONCE = 2;
/** Each that waits holds its file in memory. */
const MAX_WAITING = 20;

let running = 0;
const waiting: Array<() => void> = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < DECODES_AT_ONCE) running++;
  else if (waiting.length < MAX_WAITING) await new Promise<void>((go) => waiting.push(go));
  else throw new Problem('unavailable', 'Too many pictures at once. Please try again.', { retryAfter: 5 });
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

let loading: Promise<typeof sharp> | undefined;

/** Loaded with the first picture: most processes never need its memory. Only three decoders may run. */
function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    loaded.cache(false);
    loaded.concurrency(1);
    loaded.block({ operation: ['VipsForeignLoad'] });
    loaded.unblock({
      operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'],
    });
    return loaded;
  });
  return loading;
}

/**
 * A JPEG, PNG or WebP as a square WebP of `side` pixels: upright, cut to its middle, its first frame, without any of its
 * metadata.
 * @throws Problem bad_request for one that cannot be read or is larger than 30 million pixels; unavailable when too
 * many wait.
 */
export function squareWebp(
  bytes: Buffer,
  { side, maxBytes }: { side: number; maxBytes: number },
): Promise<Buffer> {
  return inTurn(async () => {
    const open = await loadSharp();
    try {
      const pixels = await open(bytes, {
        limitInputPixels: MAX_PIXELS,
        failOn: 'error',
        sequentialRead: true,
      })
        .timeout({ seconds: 10 })
        .autoOrient()
        .resize(side, side, { fit: 'cover' })
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      for (const quality of [82, 60, 35]) {
        const { info, data } = pixels;
        const { width, height, channels } = info;
        const made = await open(data, { raw: { width, height, channels } }).webp({ quality }).toBuffer();
        if (made.length <= maxBytes) return made;
      }
    } catch (cause) {
      const text = 'This picture cannot be read. It may be damaged, or larger than 30 million pixels.';
      throw new Problem('bad_request', text, { cause });
    }
    throw new Problem('bad_request', 'This picture cannot be made small enough.');
  });
}
