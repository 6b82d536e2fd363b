import { type ImageSource, type Pixels, reencode } from './reencode.server.ts';

export interface ContainedImage {
  bytes: Buffer;
  type: 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

/** A picture this many times too large is also scaled down, not only compressed more. */
const FAR_TOO_LARGE = 2.5;

/** The first step keeps the edges of letters on a screenshot; the others are for detailed photographs. */
const steps = [
  { quality: 86, chromaSubsampling: '4:4:4', scale: 1 },
  { quality: 72, chromaSubsampling: '4:2:0', scale: 1 },
  { quality: 50, chromaSubsampling: '4:2:0', scale: 1 },
  { quality: 50, chromaSubsampling: '4:2:0', scale: 0.5 },
  { quality: 40, chromaSubsampling: '4:2:0', scale: 0.25 },
];

async function encode({ info, reopen }: Pixels, maxBytes: number): Promise<ContainedImage | null> {
  const isTransparent = (info.channels === 2 || info.channels === 4) && !(await reopen().stats()).isOpaque;
  let isFarTooLarge = false;
  for (const { quality, chromaSubsampling, scale } of steps) {
    if (isFarTooLarge && scale === 1) continue;
    const resized = scale === 1 ? reopen() : reopen().resize(Math.ceil(info.width * scale));
    const { data, info: output } = await (isTransparent
      ? resized.webp({ quality, effort: 2 })
      : resized.removeAlpha().jpeg({ quality, chromaSubsampling })
    ).toBuffer({ resolveWithObject: true });
    isFarTooLarge = data.length > maxBytes * FAR_TOO_LARGE;
    if (data.length > maxBytes) continue;
    const type = isTransparent ? 'image/webp' : 'image/jpeg';
    return { bytes: data, type, width: output.width, height: output.height };
  }
  return null;
}

export function containImage(
  source: ImageSource,
  { key, side, maxBytes, signal }: { key: string; side: number; maxBytes: number; signal?: AbortSignal },
): Promise<ContainedImage> {
  return reencode(
    {
      source,
      key,
      size: (picture) => picture.resize(side, side, { fit: 'inside', withoutEnlargement: true }),
      encode: (pixels) => encode(pixels, maxBytes),
    },
    signal,
  );
}
