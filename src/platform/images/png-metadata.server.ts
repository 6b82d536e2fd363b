import { crc32 } from 'node:zlib';

/** Length of the signature and IHDR, which start every PNG (RFC 2083, 4.1.1). */
const HEAD_BYTES = 33;

export interface PngMetadata {
  /** Keyword (RFC 2083, 4.2.4) and text, such as Description. */
  texts: ReadonlyArray<readonly [keyword: string, text: string]>;
  /** An XMP packet (ISO 16684-1). */
  xmp: string;
}

/** An uncompressed international text chunk (PNG 1.2, 4.2.3.3). */
function textChunk(keyword: string, text: string): Buffer {
  // The zero bytes: end of keyword, no compression (flag, method), no language, no translated keyword.
  const data = Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(text, 'utf8')]);
  const body = Buffer.concat([Buffer.from('iTXt', 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

const textTypes = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf']);

/** Returns the same picture without its text and EXIF chunks. */
export function withoutPngTexts(png: Buffer): Buffer {
  const parts = [png.subarray(0, 8)];
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    if (!textTypes.has(png.toString('latin1', at + 4, at + 8))) parts.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

export function withPngMetadata(png: Buffer, { texts, xmp }: PngMetadata): Buffer {
  const chunks = [...texts, ['XML:com.adobe.xmp', xmp] as const].map(([keyword, text]) =>
    textChunk(keyword, text),
  );
  return Buffer.concat([png.subarray(0, HEAD_BYTES), ...chunks, png.subarray(HEAD_BYTES)]);
}
