export interface ReportedContext {
  contextTokens: number | null;
  promptTokens: number | null;
}

export const NO_REPORTED_CONTEXT: ReportedContext = { contextTokens: null, promptTokens: null };

/** Error names of OpenRouter and OpenAI (`context_length_exceeded`) and llama.cpp (`exceed_context_size_error`). */
const NAMES = /context_length|exceed_context_size/;

/** Plain servers (vLLM, older llama.cpp) report an overlong prompt only in the message text. */
const PROSE = /context.(length|size|window)|maximum model length|prompt is too long/i;

export const isContextOverflow = (names: string, message: string): boolean =>
  NAMES.test(names) || PROSE.test(message);

/** "maximum context length is 4096 tokens" (OpenAI, vLLM), "available context size (4096 tokens)" (llama.cpp). */
const CONTEXT = [
  /maximum (?:context|model) length (?:is|of) ([\d,]+)/i,
  /context (?:length|size|window)(?: of| is)? ?\(?([\d,]+)/i,
];
/** "(9000 in the messages, ...", "messages resulted in 9000 tokens", "request (9000 tokens)". */
const PROMPT = [
  /\(([\d,]+) in the messages/i,
  /messages resulted in ([\d,]+) tokens/i,
  /(?:request|prompt) \(([\d,]+) tokens\)/i,
];

/** No model has a smaller context; larger numbers are noise. */
const MIN_TOKENS = 256;
const MAX_TOKENS = 100_000_000;

const plausible = (value: unknown, min: number): number | null =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= MAX_TOKENS ? Number(value) : null;

function numberIn(message: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(message)?.[1];
    if (found) return Number(found.replaceAll(',', ''));
  }
  return null;
}

export function reportedContext(error: Record<string, unknown>, message: string): ReportedContext {
  return {
    contextTokens: plausible(error.n_ctx ?? numberIn(message, CONTEXT), MIN_TOKENS),
    promptTokens: plausible(error.n_prompt_tokens ?? numberIn(message, PROMPT), 1),
  };
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/**
 * Returns the context in tokens: OpenRouter's `context_length` (its provider's may be smaller, and comes first), vLLM's
 * `max_model_len`, llama.cpp's `n_ctx` or, last, the context of the model's training. Null if none is plausible.
 */
export function contextOfModel(model: unknown): number | null {
  const meta = field(model, 'meta');
  const candidates = [
    field(field(model, 'top_provider'), 'context_length'),
    field(model, 'context_length'),
    field(model, 'max_model_len'),
    field(meta, 'n_ctx'),
    field(meta, 'n_ctx_train'),
  ];
  for (const value of candidates) {
    const tokens = plausible(value, MIN_TOKENS);
    if (tokens !== null) return tokens;
  }
  return null;
}
