/** Characters that text never contains: controls except tab, line and page breaks and escape (terminal colors). */
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;
/** Unassigned in windows-1252. */
const unassigned = /[\x81\x8d\x8f\x90\x9d]/;

function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

function decode(bytes: Uint8Array, encoding: string, partial: boolean): string | null {
  try {
    // Streaming leaves out a character that is cut off at the end.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: partial });
  } catch {
    return null;
  }
}

/**
 * Decodes by the byte order mark, else as UTF-8, else as windows-1252, which includes Latin-1. Null for binary data.
 * @param partial whether `bytes` may end within a character, because there are more of them
 */
export function decodeText(bytes: Uint8Array, partial = false): string | null {
  const marked = markedEncoding(bytes);
  const text =
    decode(bytes, marked ?? 'utf-8', partial) ?? (marked ? null : decode(bytes, 'windows-1252', partial));
  return text === null || binary.test(text) || unassigned.test(text) ? null : text;
}
