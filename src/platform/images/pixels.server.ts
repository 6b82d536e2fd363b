import type sharp from 'sharp';
import type { Metadata, OutputInfo, Sharp } from 'sharp';
import { Problem } from '../http/problem.server.ts';
import { takeTurns } from '../turns/turns.server.ts';

/** What phones make, 48 million, and a little more. */
const MAX_PIXELS = 50_000_000;
/** The working memory of a resize grows with a side, however few pixels the other one has. */
const MAX_SIDE = 20_000;
/**
 * What a decoder may have to hold at once: interlaced and progressive files come whole before their first row does.
 * 24 million pixels of 4 channels; half as many where a sample has two bytes. With what making the new file takes, the
 * worst of them needed 190 MB (libvips 8.18).
 */
const MAX_DECODED_BYTES = 96_000_000;

/** One at a time in this process: the peak of its memory is that of one picture. Each that waits holds its file. */
const inTurn = takeTurns({
  atOnce: 1,
  waiting: 20,
  fullText: 'Too many pictures at once. Please try again in a moment.',
  ownText: 'Your other picture is still being read. Please wait a moment.',
});

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

/**
 * Bytes that decoding takes at most. A JPEG comes row by row, made smaller as it is decoded; one of several scans is kept
 * as coefficients of 16 bits until its last.
 */
function decodedBytes({ width, height, channels, depth, format, isProgressive }: Metadata): number {
  if (format === 'jpeg') return isProgressive ? width * height * channels * 2 : 0;
  return width * height * channels * (sampleBytes[depth] ?? 1);
}

/** Reads the head of the file only, so that nothing large is decoded to be refused. @throws Problem too_large. */
function refuseLarge(head: Metadata): void {
  const { width, height } = head;
  const small = width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE;
  if (small && decodedBytes(head) <= MAX_DECODED_BYTES) return;
  const text = `This picture is too large to be opened (${width} x ${height} pixels). Please choose a smaller one.`;
  throw new Problem('too_large', text);
}

/** The bytes of a file, or the path of one that we stored ourselves. */
export type PictureSource = Buffer | string;

export interface Pixels {
  info: OutputInfo;
  /** The pixels, to be changed further or encoded. */
  again(): Sharp;
}

/** Decodes one picture and encodes it anew from its pixels, upright, its first frame, without any of its metadata. */
export interface Remake<T> {
  source: PictureSource;
  /** Id of the person that it is for. */
  key: string;
  /** Cuts or shrinks it while it is decoded. */
  size(picture: Sharp): Sharp;
  /** Makes the file. null: it cannot be made small enough. */
  encode(pixels: Pixels): Promise<T | null>;
}

async function make<T>({ source, size, encode }: Omit<Remake<T>, 'key'>): Promise<T> {
  const open = await loadSharp();
  let made: T | null;
  try {
    refuseLarge(await open(source, { limitInputPixels: false }).metadata());
    const picture = open(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true });
    const { data, info } = await size(picture.timeout({ seconds: 10 }).autoOrient())
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    made = await encode({ info, again: () => open(data, { raw: { width, height, channels } }) });
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('bad_request', 'This picture cannot be read. It may be damaged.', { cause });
  }
  if (made === null) throw new Problem('bad_request', 'This picture cannot be made small enough.');
  return made;
}

/**
 * Remakes a JPEG, PNG or WebP in its turn.
 * @throws Problem too_large above 50 million pixels, 20,000 a side or 96 MB decoded; bad_request for one that cannot be
 * read or made small enough; rate_limited beside another of the same person; unavailable when too many wait, or after
 * 10 s of waiting.
 */
export function remake<T>({ source, key, size, encode }: Remake<T>, signal?: AbortSignal): Promise<T> {
  return inTurn(() => make({ source, size, encode }), { key, ...(signal && { signal }) });
}
