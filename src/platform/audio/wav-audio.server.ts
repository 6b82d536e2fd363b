const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const RATES = { min: 8_000, max: 192_000 };

/** Seconds of an uncompressed WAV file; null for other files and for implausible headers. */
export function wavSeconds(bytes: Buffer): number | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return null;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const start = at + 8;
    if (name === 'fmt ' && start + 16 <= bytes.length) {
      const [format, channels] = [bytes.readUInt16LE(start), bytes.readUInt16LE(start + 2)];
      const [rate, bits] = [bytes.readUInt32LE(start + 4), bytes.readUInt16LE(start + 14)];
      const isPlain = format === PCM || format === FLOAT || format === EXTENSIBLE;
      if (!isPlain || rate < RATES.min || rate > RATES.max) return null;
      bytesPerSecond = (rate * channels * bits) / 8;
    }
    // A program that records to a stream cannot know the size in advance, so the file may be shorter than stated.
    if (name === 'data')
      return bytesPerSecond > 0 ? Math.min(size, bytes.length - start) / bytesPerSecond : null;
    at = start + size + (size % 2);
  }
  return null;
}
