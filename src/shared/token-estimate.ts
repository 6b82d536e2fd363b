const encoder = new TextEncoder();

/** UTF-8 bytes per token at least, in texts of people. */
export const BYTES_PER_TOKEN = 3.5;

export const TOKENS_PER_MESSAGE = 4;

/** About, for a picture of up to 2048 pixels. */
export const IMAGE_TOKENS = 1_100;

/** On the large side, so that the gateway's own limit is not met. */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE;
}
