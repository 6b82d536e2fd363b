/** PostgreSQL refuses NUL and lone surrogates. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** `length` in UTF-16 units; not cut inside a character of two of them. */
export function cleanLine(text: string, length: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim().slice(0, length);
  return line.replace(/[\ud800-\udbff]$/, '').trim();
}
