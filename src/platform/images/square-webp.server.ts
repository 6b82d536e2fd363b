import { reencode } from './reencode.server.ts';

export function squareWebp(
  bytes: Buffer,
  { key, side, maxBytes }: { key: string; side: number; maxBytes: number },
): Promise<Buffer> {
  return reencode({
    source: bytes,
    key,
    size: (picture) => picture.resize(side, side, { fit: 'cover' }),
    async encode({ reopen }) {
      for (const quality of [82, 60, 35]) {
        const webp = await reopen().webp({ quality }).toBuffer();
        if (webp.length <= maxBytes) return webp;
      }
      return null;
    },
  });
}
