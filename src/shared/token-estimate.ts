const encoder = new TextEncoder();

/** Lower bound of UTF-8 bytes per token in ordinary text. */
export const BYTES_PER_TOKEN = 3.5;

export const TOKENS_PER_MESSAGE = 4;

/** Approximate, for an image of up to 2048 pixels. */
export const IMAGE_TOKENS = 1_100;

/** Overestimates, so that requests stay below the gateway's own limit. */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE;
}
