/** PostgreSQL refuses NUL and lone surrogates. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** `length` in UTF-16 units; not cut inside a character of two of them. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** As `cutText`. */
export const cleanLine = (text: string, length: number): string =>
  cutText(cleanText(text).replace(/\s+/g, ' ').trim(), length).trim();

/** At most so many characters, the ellipsis among them. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const kept = characters.slice(0, most - 1).join('');
  return `${kept.trimEnd()}…`;
}
