import type { GatewayUsage } from './gateway-types.ts';

/** Larger than any context window; higher counts are noise. */
const MAX_TOKENS = 1_000_000_000;

/** In USD. No call costs more; larger figures are noise. */
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
 * Updates `known` with the field names of chat completions or of OpenAI's Images API. Cost is OpenRouter's `cost`, in
 * USD. Negative, fractional (for tokens), non-finite or absurd values count as absent.
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
