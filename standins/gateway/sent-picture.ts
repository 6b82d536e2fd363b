import sharp from 'sharp';

export interface SentPicture {
  type: string;
  width: number;
  height: number;
  bytes: number;
}

/** Reads a data URL; null where a gateway would refuse: no data URL, or bytes of another type. */
export async function readPicture(url: unknown): Promise<SentPicture | null> {
  const [, type = '', data = ''] =
    /^data:(image\/(?:png|jpeg|webp));base64,([\w+/]+=*)$/.exec(String(url)) ?? [];
  const bytes = Buffer.from(data, 'base64');
  const found = type
    ? await sharp(bytes)
        .metadata()
        .catch(() => null)
    : null;
  if (found === null || `image/${found.format}` !== type) return null;
  return { type, width: found.width, height: found.height, bytes: bytes.length };
}
