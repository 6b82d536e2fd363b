import type sharp from 'sharp';
import type { Metadata, OutputInfo, Sharp } from 'sharp';
import { Problem } from '../http/problem.server.ts';
import { takeTurns } from '../turns/turns.server.ts';

const MAX_PIXELS = 30_000_000;
/**
 * What a decoder may have to hold at once: interlaced and progressive files come whole before their first row does.
 * 30 million pixels of 4 channels; half as many where a sample has two bytes.
 */
const MAX_DECODED_BYTES = 120_000_000;

/** One at a time in this process: the peak of its memory is that of one picture. Each that waits holds its file. */
const inTurn = takeTurns({
  atOnce: 1,
  waiting: 20,
  fullText: 'Too many pictures at once. Please try again.',
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
  /** Cuts or shrinks it while it is decoded. */
  size(picture: Sharp): Sharp;
  /** Makes the file. null: it cannot be made small enough. */
  encode(pixels: Pixels): Promise<T | null>;
}

/**
 * Remakes a JPEG, PNG or WebP in its turn.
 * @throws Problem too_large above 30 million pixels or 120 MB decoded; bad_request for one that cannot be read or made
 * small enough; unavailable when too many wait.
 */
export function remake<T>({ source, size, encode }: Remake<T>, signal?: AbortSignal): Promise<T> {
  return inTurn(async () => {
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
  }, signal);
}
