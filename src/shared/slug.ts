/** Most file systems allow names of 255 bytes; up to 60 are used besides the slug. */
const SLUG = { characters: 60, bytes: 120 };

const byteLength = (text: string) => new TextEncoder().encode(text).length;

function cutSlug(text: string): string {
  let [start, size] = ['', 0];
  for (const character of [...text].slice(0, SLUG.characters)) {
    size += byteLength(character);
    if (size > SLUG.bytes) break;
    start += character;
  }
  return start;
}

export function slugOf(title: string, fallback: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return cutSlug(words).replace(/^-+|-+$/g, '') || fallback;
}
