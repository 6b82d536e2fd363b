import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';

/** The best encoding that an Accept-Encoding header allows. */
export function encodingFor(accept: string | undefined): Encoding {
  if (accept && /\bbr\b(?!\s*;\s*q=0(\.0*)?\b)/.test(accept)) return 'br';
  if (accept && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\b)/.test(accept)) return 'gzip';
  return 'identity';
}

/** Compresses a text for one answer (`quality` 4) or for many (11). */
export async function compress(text: string | Buffer, encoding: Encoding, quality: 4 | 11): Promise<Buffer> {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  if (encoding === 'br')
    return brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  if (encoding === 'gzip') return zip(bytes, { level: quality === 4 ? 5 : 9 });
  return bytes;
}
