/** Signs that no text holds: controls but tabs, ends of lines and pages, and the escape of terminals' colours. */
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;
/** Not assigned in windows-1252. */
const unassigned = /[\x81\x8d\x8f\x90\x9d]/;

function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

function decode(bytes: Uint8Array, encoding: string, cut: boolean): string | null {
  try {
    // Streaming: a sign that is cut through at the end is left out.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}

/**
 * As its byte order mark says, else as UTF-8, else as windows-1252, of which Latin-1 is a part. Null for what is no text.
 * @param cut whether there is more of it, so that `bytes` may end within a sign
 */
export function decodeText(bytes: Uint8Array, cut = false): string | null {
  const marked = markedEncoding(bytes);
  const text = decode(bytes, marked ?? 'utf-8', cut) ?? (marked ? null : decode(bytes, 'windows-1252', cut));
  return text === null || binary.test(text) || unassigned.test(text) ? null : text;
}
