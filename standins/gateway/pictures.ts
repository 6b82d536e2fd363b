/** What can be said of a picture without looking at it: kind and size in pixels, read from its bytes. */

export interface SentPicture {
  type: string;
  width: number;
  height: number;
  bytes: number;
}

type Size = [width: number, height: number];

/** PNG (RFC 2083, 4.1.1). */
function pngSize(bytes: Buffer): Size | null {
  if (bytes.length < 24 || bytes.toString('latin1', 1, 4) !== 'PNG') return null;
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** JPEG (ITU T.81, B.2.2): the first frame header after the segments before it. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return null;
}

/** WebP (RFC 9649): lossy, lossless or extended. */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (kind !== 'VP8L') return null;
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}

const sizes: Record<string, (bytes: Buffer) => Size | null> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** A picture sent as a data URL, or null for one that a gateway would refuse: no such URL, or bytes of another kind. */
export function readPicture(url: unknown): SentPicture | null {
  const [, type = '', data = ''] = /^data:(image\/\w+);base64,([\w+/]+=*)$/.exec(String(url)) ?? [];
  const bytes = Buffer.from(data, 'base64');
  const size = sizes[type]?.(bytes);
  return size ? { type, width: size[0], height: size[1], bytes: bytes.length } : null;
}
