import type sharp from 'sharp';
import type { Metadata } from 'sharp';
import { Problem } from '../http/problem.server.ts';

const MAX_PIXELS = 30_000_000;
/**
 * What a decoder may have to hold at once: interlaced and progressive files come whole before their first row does.
 * 30 million pixels of 4 channels; half as many where a sample has two bytes.
 */
const MAX_DECODED_BYTES = 120_000_000;
/** Each that waits holds its file in memory. */
const MAX_WAITING = 20;

let busy = false;
const waiting: Array<() => void> = [];

/** One at a time in this process: the peak of its memory is that of one picture. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (!busy) busy = true;
  else if (waiting.length < MAX_WAITING) await new Promise<void>((go) => waiting.push(go));
  else throw new Problem('unavailable', 'Too many pictures at once. Please try again.', { retryAfter: 5 });
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else busy = false;
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

const sampleBytes: Partial<Record<string, number>> = { ushort: 2, short: 2 };

/** Bytes that decoding takes at most; a progressive JPEG is kept as coefficients of 16 bits until its last scan. */
function decodedBytes({ width, height, channels, depth, format, isProgressive }: Metadata): number {
  const coefficients = format === 'jpeg' && isProgressive === true;
  return width * height * channels * (coefficients ? 2 : (sampleBytes[depth] ?? 1));
}

/** Reads the head of the file only, so that nothing large is decoded to be refused. @throws Problem too_large. */
function refuseLarge(head: Metadata): void {
  if (head.width * head.height <= MAX_PIXELS && decodedBytes(head) <= MAX_DECODED_BYTES) return;
  const { width, height } = head;
  const text = `This picture is too large to be opened (${width} x ${height} pixels). Please choose a smaller one.`;
  throw new Problem('too_large', text);
}

/**
 * A JPEG, PNG or WebP as a square WebP of `side` pixels: upright, cut to its middle, its first frame, without any of its
 * metadata.
 * @throws Problem too_large above 30 million pixels or 120 MB decoded; bad_request for one that cannot be read;
 * unavailable when too many wait.
 */
export function squareWebp(
  bytes: Buffer,
  { side, maxBytes }: { side: number; maxBytes: number },
): Promise<Buffer> {
  return inTurn(async () => {
    const open = await loadSharp();
    try {
      refuseLarge(await open(bytes, { limitInputPixels: false }).metadata());
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
      if (cause instanceof Problem) throw cause;
      throw new Problem('bad_request', 'This picture cannot be read. It may be damaged.', { cause });
    }
    throw new Problem('bad_request', 'This picture cannot be made small enough.');
  });
}
