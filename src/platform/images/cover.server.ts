import { reencode } from './reencode.server.ts';

export interface CoverImage {
  png: Buffer;
  previews: Buffer[];
}

export function coverPng(
  bytes: Buffer,
  {
    key,
    width,
    height,
    previewWidths,
  }: { key: string; width: number; height: number; previewWidths: readonly number[] },
): Promise<CoverImage> {
  return reencode({
    source: bytes,
    key,
    size: (picture) => picture.resize(width, height, { fit: 'cover' }),
    async encode({ again }) {
      const png = await again().png({ compressionLevel: 6 }).toBuffer();
      const previews: Buffer[] = [];
      for (const wanted of previewWidths) {
        const sized = wanted < width ? again().resize(wanted) : again();
        previews.push(await sized.webp({ quality: 80, effort: 3 }).toBuffer());
      }
      return { png, previews };
    },
  });
}
