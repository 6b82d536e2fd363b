/** PNG files from raw pixels, with node:zlib only (RFC 2083: 8-bit RGB, filter "Up"). */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const deflateAsync = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue for each pixel, row by row. */
  pixels: Uint8Array;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Encodes a picture; the text goes into a tEXt chunk "Description" (Latin-1, other characters as "?"). */
export async function encodePng(picture: Picture, description: string): Promise<Buffer> {
  const { width, height, pixels } = picture;
  const stride = width * 3;
  const raw = Buffer.allocUnsafe((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (stride + 1);
    raw[to] = 2;
    const from = y * stride;
    for (let x = 0; x < stride; x++) {
      const above = y === 0 ? 0 : pixels[from - stride + x]!;
      raw[to + 1 + x] = pixels[from + x]! - above;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const text = `Description\0${description.replace(/[^\x20-\x7e]/g, '?').slice(0, 500)}`;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(text, 'latin1')),
    chunk('IDAT', await deflateAsync(raw, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
