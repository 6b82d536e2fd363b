const encoder = new TextEncoder();

/** UTF-8 bytes that a token stands for at least, in texts of people. */
export const TOKEN_BYTES = 3.5;

/** Rough size of a text in tokens; on the large side, so that the gateway's own limit is not met. */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / TOKEN_BYTES) + 4;
}
