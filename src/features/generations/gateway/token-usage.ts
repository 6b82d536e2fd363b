import type { GatewayUsage } from './gateway-types.ts';

/** Beyond any context window; larger counts are noise. */
const MAX_TOKENS = 1_000_000_000;

/** One call does not cost more; larger figures are noise. In USD. */
const MAX_COST = 1_000;

export const NO_USAGE: GatewayUsage = { promptTokens: null, completionTokens: null, costMicros: null };

function tokens(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS ? Number(value) : null;
}

function micros(value: unknown): number | null {
  if (typeof value !== 'number' || !(value >= 0 && value <= MAX_COST)) return null;
  return Math.round(value * 1_000_000);
}

/**
 * In the names of texts or of pictures (OpenAI's Images API). Negative, fractional, non-finite or absurd values count
 * as absent. Cost is OpenRouter's `cost`, in USD.
 */
export function mergeUsage(known: GatewayUsage, reported: unknown): GatewayUsage {
  if (typeof reported !== 'object' || reported === null) return known;
  const field = (name: string): unknown => Reflect.get(reported, name);
  return {
    promptTokens: tokens(field('prompt_tokens')) ?? tokens(field('input_tokens')) ?? known.promptTokens,
    completionTokens:
      tokens(field('completion_tokens')) ?? tokens(field('output_tokens')) ?? known.completionTokens,
    costMicros: micros(field('cost')) ?? known.costMicros,
  };
}
