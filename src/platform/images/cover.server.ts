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
    async encode({ reopen }) {
      const png = await reopen().png({ compressionLevel: 6 }).toBuffer();
      const previews: Buffer[] = [];
      for (const previewWidth of previewWidths) {
        const resized = previewWidth < width ? reopen().resize(previewWidth) : reopen();
        previews.push(await resized.webp({ quality: 80, effort: 3 }).toBuffer());
      }
      return { png, previews };
    },
  });
}
