export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;
type ImageType = (typeof imageTypes)[number];

const starts: Array<[ImageType, RegExp]> = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** ISO 23008-12, 10.2: a single image or a burst, as phones write them. */
export const isHeic = (bytes: Uint8Array): boolean =>
  /^[\s\S]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/.test(String.fromCharCode(...bytes.subarray(0, 12)));

export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return starts.find(([, start]) => start.test(head))?.[0] ?? null;
}
