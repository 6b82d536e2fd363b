/** Whether a character goes on with this byte. */
const goesOn = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The longest start of whole characters. */
export function startWithin(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (goesOn(encoded[end])) end--;
  return encoded.toString('utf8', 0, end);
}

/** The longest end of whole characters. */
export function endWithin(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let from = encoded.length - Math.max(0, bytes);
  while (goesOn(encoded[from])) from++;
  return encoded.toString('utf8', from);
}
