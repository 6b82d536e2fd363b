const encoder = new TextEncoder();

/** UTF-8 bytes that a token stands for at least, in texts of people. */
export const TOKEN_BYTES = 3.5;

/** Tokens that a message costs beside its text. */
export const TOKENS_A_TEXT = 4;

/** What models count a picture of up to 2048 pixels as, about. */
export const PICTURE_TOKENS = 1_100;

/** Rough size of a text in tokens; on the large side, so that the gateway's own limit is not met. */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / TOKEN_BYTES) + TOKENS_A_TEXT;
}
