import type { PageText } from '#platform/document-reader/reader-protocol.ts';
import { BYTES_PER_TOKEN, estimateTokens, TOKENS_PER_MESSAGE } from '#shared/token-estimate.ts';

/** Line feed and space; in UTF-8 neither byte is part of another character. */
const GAPS = [0x0a, 0x20];

/** Never splits a character, and splits between words if there is a gap in the second half of a piece. */
function splitText(text: string, tokens: number): string[] {
  const maxBytes = Math.floor((tokens - TOKENS_PER_MESSAGE) * BYTES_PER_TOKEN);
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + maxBytes, bytes.length);
    while (to < bytes.length && (bytes[to]! & 0xc0) === 0x80) to--;
    const gap = to < bytes.length ? Math.max(...GAPS.map((byte) => bytes.lastIndexOf(byte, to - 1))) : -1;
    if (gap > from + maxBytes / 2) to = gap + 1;
    pieces.push(bytes.subarray(from, to).toString());
    from = to;
  }
  return pieces;
}

/** Groups pages into parts of at most `tokens` tokens; splits a page that is longer. */
export function splitIntoParts(pages: readonly PageText[], tokens: number): PageText[][] {
  const parts: PageText[][] = [];
  let remaining = 0;
  for (const { page, text: pageText } of pages)
    for (const text of splitText(pageText, tokens)) {
      const size = estimateTokens(text);
      if (parts.length === 0 || size > remaining) {
        parts.push([]);
        remaining = tokens;
      }
      parts.at(-1)!.push({ page, text });
      remaining -= size;
    }
  return parts;
}
