import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';

const encodings = ['br', 'gzip', 'identity'] as const;

/** Returns the encoding with the highest weight in Accept-Encoding (RFC 9110, 12.5.3), on a tie the smallest. */
export function encodingFor(accept: string | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  // An unlisted `identity` is acceptable but never preferred.
  const defaultWeight = (name: Encoding) => (name === 'identity' ? 0 : (weights.get('*') ?? 0));
  const weightOf = (name: Encoding) => weights.get(name) ?? defaultWeight(name);
  const best = encodings.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  return weightOf(best) > 0 ? best : 'identity';
}

export async function compress(
  text: string | Buffer,
  encoding: Encoding,
  quality: 4 | 5 | 11,
): Promise<Buffer> {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  if (encoding === 'br')
    return brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  if (encoding === 'gzip') return zip(bytes, { level: quality === 11 ? 9 : 5 });
  return bytes;
}
