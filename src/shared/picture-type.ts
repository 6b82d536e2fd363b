/** Pictures that a person may give us. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

const starts: Array<[PictureType, RegExp]> = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** The kind that a file's first 12 bytes say it is; null for any other. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return starts.find(([, start]) => start.test(head))?.[0] ?? null;
}
