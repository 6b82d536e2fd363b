/**
 * Not a real tokenizer: a token is up to six characters of one word with the space before it, on average about four
 * characters, as with real models on English text.
 */

/** Splits text into tokens; joined they are the text again, and no surrogate pair is split. */
export function tokensOf(text: string): string[] {
  return text.match(/\s{0,8}\S{1,6}|\s{1,8}/gu) ?? [];
}

export function piecesOf(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];
}

export function promptTokens(chars: number): number {
  return Math.ceil(chars / 4);
}

const numbered = new Map<number, { tokens: string[]; text: string }>();

/** Returns numbered tokens for benchmarks; cached, so that 1,000 streams share one array. */
export function numberedTokens(count: number): { tokens: string[]; text: string } {
  const known = numbered.get(count);
  if (known) return known;
  const tokens = Array.from({ length: count }, (_, index) => `w${String(index + 1).padStart(4, '0')} `);
  const result = { tokens, text: tokens.join('') };
  if (numbered.size > 50) numbered.clear();
  numbered.set(count, result);
  return result;
}
