import { config } from '#platform/config/config.server.ts';
import { estimateTokens, IMAGE_TOKENS } from '#shared/token-estimate.ts';
import type { RunContext, RunModel } from './engine.server.ts';
import type { GatewayMessage } from './gateway/chat-completions.server.ts';
import { GatewayError } from './gateway/gateway-error.ts';
import { contextLengthOf } from './gateway/model-context.server.ts';

export interface TokenRequest {
  prompt: number;
  answer: number;
}

/** How long a learned context is used: the gateway may restart the model with another one. */
const CACHE_MS = 3_600_000;
/** How many times more tokens than estimated a model may count. */
const MAX_RATIO = 4;

const known = new Map<string, { tokens: number; until: number }>();

const modelKey = (model: string) => `${config().LLM_BASE_URL} ${model}`;

function knownContext(model: string): number | null {
  const entry = known.get(modelKey(model));
  return entry && performance.now() < entry.until ? entry.tokens : null;
}

/** Returns the context of `model`, by default of the site's text model. */
export const contextTokens = (model?: Pick<RunModel, 'id' | 'context'> | null): number =>
  Math.min(
    model?.context ?? config().CONTEXT_TOKENS,
    knownContext(model?.id ?? config().LLM_MODEL) ?? Infinity,
  );

/** Gateways count thinking as part of the answer: without extra room the answer would be cut or missing. */
const THINKING_TOKENS = 8_000;

export const tokensWithThinking = (answer: number, model?: Pick<RunModel, 'thinks'>): number =>
  answer + (model?.thinks ? THINKING_TOKENS : 0);

export function estimateMessageTokens(turns: readonly GatewayMessage[]): number {
  const parts = turns.flatMap(({ content }) =>
    typeof content === 'string' ? [estimateTokens(content)] : content.map(partSize),
  );
  return parts.reduce((sum, tokens) => sum + tokens, 0);
}

const partSize = (part: Exclude<GatewayMessage['content'], string>[number]): number =>
  part.type === 'text' ? estimateTokens(part.text) : IMAGE_TOKENS;

export function maxAnswerTokens({ prompt, answer }: TokenRequest, model: string): number {
  const context = knownContext(model);
  // A model that counts fewer tokens than we estimate may still have room; one without room reports it.
  return context === null ? answer : Math.min(answer, Math.max(MIN_ANSWER, context - prompt));
}

const MIN_ANSWER = 64;

function reducedContext(tokens: number, promptTokens: number | null, requested: TokenRequest): number {
  const ratio = Math.min(MAX_RATIO, Math.max(1, (promptTokens ?? 0) / Math.max(1, requested.prompt)));
  return Math.floor(Math.min(tokens / ratio, (requested.prompt + requested.answer) * 0.75));
}

export function learnContext(error: unknown, model: string): void {
  if (!(error instanceof GatewayError) || error.kind !== 'context_length') return;
  // Only the model's own limit: how its count of one text differs from our estimate does not apply to other texts.
  const tokens = error.context.contextTokens;
  if (tokens !== null) known.set(modelKey(model), { tokens, until: performance.now() + CACHE_MS });
}

/**
 * Returns the tokens for a retry: from the refusal, else from the list of models, else a quarter of the request, which
 * is used for this run only. Null for any other failure.
 */
export async function shorterContext(
  error: unknown,
  requested: TokenRequest,
  { model, signal }: Pick<RunContext, 'model' | 'signal'>,
): Promise<number | null> {
  if (!(error instanceof GatewayError) || error.kind !== 'context_length') return null;
  const { contextTokens: reported, promptTokens } = error.context;
  if (reported !== null) return reducedContext(reported, promptTokens, requested);
  const { LLM_BASE_URL, LLM_API_KEY } = config();
  const listed = await contextLengthOf({
    baseUrl: LLM_BASE_URL ?? '',
    apiKey: LLM_API_KEY ?? '',
    model: model.id,
    requestId: '',
    signal,
  });
  const sum = requested.prompt + requested.answer;
  return listed !== null && listed < sum
    ? reducedContext(listed, promptTokens, requested)
    : Math.floor(sum / 4);
}
