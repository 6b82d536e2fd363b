import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Phones make 48 million; this leaves some room. */
export const MAX_PIXELS = 50_000_000;
/** Images at least twice as large are scaled down by a whole factor, whose square 16-bit sums can hold. */
const SIDE = 2_048;
const MAX_FACTOR = 16;
const CHANNELS = 4;

interface DecodedData {
  /** Receives pixels of four bytes each, starting at `offset` bytes. */
  set(pixels: Uint8Array, offset?: number): void;
}
interface HeifImage {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  display(target: { data: DecodedData }, done: (shown: object | null) => void): void;
}
interface Libheif {
  HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
}

export interface HeicPixels {
  width: number;
  height: number;
  pixels: Buffer;
}

/** Limited by the number of pixels on the shorter side. */
const scaleFactor = (width: number, height: number) =>
  Math.max(1, Math.min(MAX_FACTOR, Math.floor(Math.max(width, height) / SIDE), Math.min(width, height)));

class FullPixels implements DecodedData {
  readonly pixels: Buffer;

  constructor(width: number, height: number) {
    this.pixels = Buffer.alloc(width * height * CHANNELS);
  }

  set(pixels: Uint8Array, offset = 0): void {
    this.pixels.set(pixels, offset);
  }
}

/** Averages squares of pixels, so that only the decoder holds the picture in full size. */
class AveragedPixels implements DecodedData {
  readonly #width: number;
  readonly #factor: number;
  readonly #rowBytes: number;
  readonly #sums: Uint16Array;

  constructor(width: number, height: number, factor: number) {
    this.#rowBytes = width * CHANNELS;
    this.#factor = factor;
    this.#width = Math.floor(width / factor);
    this.#sums = new Uint16Array(this.#width * Math.floor(height / factor) * CHANNELS);
  }

  set(pixels: Uint8Array, offset = 0): void {
    for (let at = 0; at < pixels.length; at += this.#rowBytes)
      this.#addRow(pixels, at, (offset + at) / this.#rowBytes);
  }

  #addRow(pixels: Uint8Array, at: number, y: number): void {
    const sums = this.#sums;
    let target = Math.floor(y / this.#factor) * this.#width * CHANNELS;
    if (target >= sums.length) return;
    let from = at;
    for (let x = 0; x < this.#width; x++) {
      for (let step = 0; step < this.#factor; step++)
        for (let channel = 0; channel < CHANNELS; channel++) sums[target + channel]! += pixels[from++]!;
      target += CHANNELS;
    }
  }

  get pixels(): Buffer {
    const area = this.#factor ** 2;
    const means = Buffer.alloc(this.#sums.length);
    for (let at = 0; at < means.length; at++) means[at] = Math.round(this.#sums[at]! / area);
    return means;
  }
}

/**
 * Decodes the main image, rotated as the file specifies.
 * @returns only the size of an image that is too large; null for a file that cannot be decoded
 */
export async function decodeHeic(
  library: string,
  file: Buffer,
): Promise<HeicPixels | { width: number; height: number } | null> {
  const bundle = pathToFileURL(join(library, 'libheif-wasm/libheif-bundle.mjs')).href;
  const { default: load } = (await import(/* @vite-ignore */ bundle)) as { default: () => Libheif };
  const images = new (load().HeifDecoder)().decode(file);
  const image = images.find((each) => each.is_primary()) ?? images[0];
  if (!image) return null;
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > MAX_PIXELS) return { width, height };
  const factor = scaleFactor(width, height);
  const data = factor > 1 ? new AveragedPixels(width, height, factor) : new FullPixels(width, height);
  const shown = await new Promise<object | null>((done) => image.display({ data }, done));
  return (
    shown && { width: Math.floor(width / factor), height: Math.floor(height / factor), pixels: data.pixels }
  );
}
