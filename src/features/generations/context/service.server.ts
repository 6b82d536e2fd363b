import { config } from '../../../platform/config/config.server.ts';
import { estimateTokens, PICTURE_TOKENS } from '../../../shared/tokens.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { ChatTurn } from '../gateway/gateway.adapter.server.ts';
import { contextLengthOf } from '../gateway/models.adapter.server.ts';

/** What a call asked for, in tokens by our estimate. */
export interface Asked {
  prompt: number;
  answer: number;
}

/** A model may be started anew with another context. */
const KNOWN_MS = 3_600_000;
/** A model may count more tokens than we estimate, but not endlessly more. */
const MOST_RATIO = 4;

const known = new Map<string, { tokens: number; until: number }>();

const modelKey = () => `${config().LLM_BASE_URL} ${config().LLM_MODEL}`;

function learned(): number | null {
  const entry = known.get(modelKey());
  return entry && performance.now() < entry.until ? entry.tokens : null;
}

/** Tokens that prompt and answer may have together: the configured ones, or fewer where the model is known to take fewer. */
export const contextTokens = (): number => Math.min(config().CONTEXT_TOKENS, learned() ?? Infinity);

/** Keeps what the model said that it takes, so that the next request is cut at once, whoever sends it. */
function rememberContext(tokens: number): void {
  known.set(modelKey(), { tokens, until: performance.now() + KNOWN_MS });
}

/** Rough size of turns in tokens. */
export function sizeOf(turns: readonly ChatTurn[]): number {
  const parts = turns.flatMap(({ content }) =>
    typeof content === 'string' ? [estimateTokens(content)] : content.map(partSize),
  );
  return parts.reduce((sum, tokens) => sum + tokens, 0);
}

const partSize = (part: Exclude<ChatTurn['content'], string>[number]): number =>
  part.type === 'text' ? estimateTokens(part.text) : PICTURE_TOKENS;

/** Tokens that an answer may have behind such a prompt; where the model's context is not known, all that is wished. */
export function answerRoom({ prompt, answer }: Asked): number {
  const context = learned();
  // A model that counts fewer tokens than we do may still have room; one that has none says so.
  return context === null ? answer : Math.min(answer, Math.max(LEAST_ANSWER, context - prompt));
}

/** An answer that is worth asking for. */
const LEAST_ANSWER = 64;

/** What the model takes of the told context, counted as we count; always less than what it refused. */
function fitted(tokens: number, promptTokens: number | null, asked: Asked): number {
  const ratio = Math.min(MOST_RATIO, Math.max(1, (promptTokens ?? 0) / Math.max(1, asked.prompt)));
  return Math.floor(Math.min(tokens / ratio, (asked.prompt + asked.answer) * 0.75));
}

/** Learns the context of the model from a call that it refused as too long; whatever else happened teaches nothing. */
export function learnContext(error: unknown): void {
  if (!(error instanceof GatewayError) || error.kind !== 'context_length') return;
  // As the model counts: how one text differs from our estimate is nothing that other people's texts share.
  if (error.context.contextTokens !== null) rememberContext(error.context.contextTokens);
}

/**
 * The context with which a call that was refused as too long may be asked again: as the refusal says, else as the list
 * of models says, else a quarter of what was asked for, which holds for this run alone. Null for any other failure.
 */
export async function shorterContext(
  error: unknown,
  asked: Asked,
  signal: AbortSignal,
): Promise<number | null> {
  if (!(error instanceof GatewayError) || error.kind !== 'context_length') return null;
  const { contextTokens: told, promptTokens } = error.context;
  if (told !== null) return fitted(told, promptTokens, asked);
  const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL } = config();
  const listed = await contextLengthOf({
    baseUrl: LLM_BASE_URL ?? '',
    apiKey: LLM_API_KEY ?? '',
    model: LLM_MODEL,
    requestId: '',
    signal,
  });
  const sum = asked.prompt + asked.answer;
  return listed !== null && listed < sum ? fitted(listed, promptTokens, asked) : Math.floor(sum / 4);
}
