import type sharp from 'sharp';
import type { Metadata, OutputInfo, Sharp } from 'sharp';
import { m } from '#messages';
import { MAX_PIXELS } from '../document-reader/heic-pixels.ts';
import { createFairQueue } from '../fair-queue.server.ts';
import { Problem } from '../http/problem.server.ts';

/** The memory of a resize grows with the longer side, however few pixels the other side has. */
const MAX_SIDE = 20_000;
/**
 * Interlaced and progressive files are decoded whole before their first row: 24 million pixels of 4 channels, half as
 * many with two bytes per sample. The worst of them needed 190 MB including encoding (libvips 8.18).
 */
const MAX_DECODED_BYTES = 96_000_000;

/** One at a time in this process, so that peak memory is that of one picture. Each waiting picture holds its file. */
const queue = createFairQueue({
  concurrency: 1,
  maxWaiting: 20,
  fullMessage: m.images_busy,
  busyMessage: m.images_own_busy,
});

let loading: Promise<typeof sharp> | undefined;

/** Loads sharp with the first picture, because most processes never need it, and allows only three decoders. */
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

/** A JPEG is decoded row by row; a progressive one is held as 16-bit coefficients until its last scan. */
function decodedBytes({ width, height, channels, depth, format, isProgressive }: Metadata): number {
  if (format === 'jpeg') return isProgressive ? width * height * channels * 2 : 0;
  return width * height * channels * (sampleBytes[depth] ?? 1);
}

/** Checks the file's header, so that nothing large is decoded just to be refused. @throws Problem too_large */
function rejectLarge(metadata: Metadata): void {
  const { width, height } = metadata;
  const isSmall = width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE;
  if (isSmall && decodedBytes(metadata) <= MAX_DECODED_BYTES) return;
  throw new Problem('too_large', m.image_too_many_pixels({ width, height }));
}

export interface RawPixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 4 };
}

/** A file's bytes, its path, or decoded pixels. */
export type ImageSource = Buffer | string | RawPixels;

export interface Pixels {
  info: OutputInfo;
  reopen(): Sharp;
}

export interface ReencodeOptions<T> {
  source: ImageSource;
  key: string;
  size(picture: Sharp): Sharp;
  encode(pixels: Pixels): Promise<T | null>;
}

const isRaw = (source: ImageSource): source is RawPixels => typeof source === 'object' && 'raw' in source;

async function reencodeNow<T>({ source, size, encode }: Omit<ReencodeOptions<T>, 'key'>): Promise<T> {
  const open = await loadSharp();
  let result: T | null;
  try {
    const [input, inputOptions] = isRaw(source) ? [source.data, { raw: source.raw }] : [source, {}];
    rejectLarge(await open(input, { ...inputOptions, limitInputPixels: false }).metadata());
    const picture = open(input, {
      ...inputOptions,
      limitInputPixels: MAX_PIXELS,
      failOn: 'error',
      sequentialRead: true,
    });
    const { data, info } = await size(picture.timeout({ seconds: 10 }).autoOrient())
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    result = await encode({ info, reopen: () => open(data, { raw: { width, height, channels } }) });
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('bad_request', m.image_unreadable(), { cause });
  }
  if (result === null) throw new Problem('bad_request', m.image_not_small_enough());
  return result;
}

export function reencode<T>(
  { source, key, size, encode }: ReencodeOptions<T>,
  signal?: AbortSignal,
): Promise<T> {
  return queue(() => reencodeNow({ source, size, encode }), { key, ...(signal && { signal }) });
}
