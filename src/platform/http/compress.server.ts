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

/**
 * Brotli's quality: 3 for a body that is sent once (4 takes more than twice as long for 4 % less), 5 for one that is kept,
 * 11 for one that is compressed in the background.
 */
type Quality = 3 | 5 | 11;

const gzipLevels: Record<Quality, number> = { 3: 3, 5: 5, 11: 9 };

export async function compress(text: string | Buffer, encoding: Encoding, quality: Quality): Promise<Buffer> {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  if (encoding === 'br')
    return brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    });
  if (encoding === 'gzip') return zip(bytes, { level: gzipLevels[quality] });
  return bytes;
}
