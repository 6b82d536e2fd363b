/** PostgreSQL refuses NUL and lone surrogates. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** `length` is in UTF-16 units; never splits a surrogate pair. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** `length` as in `cutText`. */
export const cleanLine = (text: string, length: number): string =>
  cutText(cleanText(text).replace(/\s+/g, ' ').trim(), length).trim();

/** Returns at most `max` characters, including the ellipsis. */
export function shortened(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const start = characters.slice(0, max - 1).join('');
  return `${start.trimEnd()}…`;
}
