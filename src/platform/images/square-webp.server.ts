import { reencode } from './reencode.server.ts';

export function squareWebp(
  bytes: Buffer,
  { key, side, maxBytes }: { key: string; side: number; maxBytes: number },
): Promise<Buffer> {
  return reencode({
    source: bytes,
    key,
    size: (picture) => picture.resize(side, side, { fit: 'cover' }),
    async encode({ again }) {
      for (const quality of [82, 60, 35]) {
        const made = await again().webp({ quality }).toBuffer();
        if (made.length <= maxBytes) return made;
      }
      return null;
    },
  });
}
