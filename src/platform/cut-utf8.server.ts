/** Whether the byte continues a character. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns the longest start of the text that consists of whole characters and fits into `bytes`. */
export function startWithin(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (isContinuation(encoded[end])) end--;
  return encoded.toString('utf8', 0, end);
}

/** Returns the longest end of the text that consists of whole characters and fits into `bytes`. */
export function endWithin(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let from = encoded.length - Math.max(0, bytes);
  while (isContinuation(encoded[from])) from++;
  return encoded.toString('utf8', from);
}
