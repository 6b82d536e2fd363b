/** Most file systems allow names of 255 bytes; up to 60 are used besides the slug. */
const SLUG = { characters: 60, bytes: 120 };

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

function startOf(text: string): string {
  let [start, size] = ['', 0];
  for (const character of [...text].slice(0, SLUG.characters)) {
    size += bytesOf(character);
    if (size > SLUG.bytes) break;
    start += character;
  }
  return start;
}

export function slugOf(title: string, otherwise: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return startOf(words).replace(/^-+|-+$/g, '') || otherwise;
}
