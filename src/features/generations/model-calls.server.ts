import { randomUUID } from 'node:crypto';
import { checkSpendCap } from '#features/credits/service.server.ts';
import { config, imageGateway } from '#platform/config/config.server.ts';
import { asyncCommitDatabase } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { failureName, type Span, startSpan } from '#platform/tracing/tracing.server.ts';
import { BYTES_PER_TOKEN, estimateTokens } from '#shared/token-estimate.ts';
import { storeCostLater } from './call-records.server.ts';
import { estimateMessageTokens, learnContext, maxAnswerTokens } from './context-window.server.ts';
import type { FinishReason } from './contract.ts';
import type { RunContext } from './engine.server.ts';
import type { FailureName } from './failure-text.server.ts';
import {
  type Citation,
  completeChat,
  type GatewayBounds,
  type GatewayMessage,
  type GatewayOutcome,
  type GatewaySearch,
  type Sampling,
  streamChat,
} from './gateway/chat-completions.server.ts';
import { GatewayError, redactForLog } from './gateway/gateway-error.ts';
import {
  type GatewayImageRequest,
  type GeneratedImage,
  requestImage,
} from './gateway/image-generation.server.ts';
import { type CallUsage, costOf, costSoFar, tokensSent } from './model-cost.server.ts';
import { processName } from './process-name.server.ts';
import { countCall, timeFirstText } from './run-metrics.server.ts';
import { RunFailure } from './run-outcome.server.ts';
import { openCall, storeCosts } from './store.server.ts';

export interface CallOrigin {
  context: RunContext;
  purpose: string;
}

/** FIRST_TOKEN_SECONDS limits the wait for the first token; `answerMs` is the time added for the rest. */
export interface CallBounds extends Omit<GatewayBounds, 'firstByteMs' | 'totalMs'> {
  answerMs: number;
}

export interface Call extends CallOrigin {
  messages: GatewayMessage[];
  temperature: number;
  maxTokens: number;
  bounds: CallBounds;
  responseFormat?: unknown;
  /** A search by the gateway before it answers; `costMicros` counts if the gateway reports no cost. */
  search?: GatewaySearch & { costMicros: number };
  onCitations?: (citations: Citation[]) => void;
  sampling?: Sampling;
}

const finishes: Record<GatewayOutcome['finish'], FinishReason> = {
  stop: 'stop',
  length: 'length',
  bound: 'length',
  content_filter: 'filtered',
};

interface Recorder {
  id: string;
  metered: CallUsage;
  onHead(): void;
  onFirstText(): void;
  done(
    outcome: Pick<GatewayOutcome, 'finish' | 'usage' | 'upstreamId'>,
    answeredBy?: string | null,
  ): Promise<void>;
  failed(error: unknown): Promise<void>;
}

export async function checkCap(): Promise<void> {
  try {
    await checkSpendCap();
  } catch (error) {
    throw error instanceof Problem
      ? new RunFailure('spend_cap', 'run_spend_cap' satisfies FailureName)
      : error;
  }
}

async function openRecordedCall({ context, purpose }: CallOrigin, metered: CallUsage): Promise<string> {
  const first = context.takeFirstCall();
  const cost = costSoFar(metered);
  await context.heldCallEnd.store();
  if (first) {
    // A picture's price is known beforehand and must be stored before the next call opens beside this one.
    if (metered.modality === 'picture')
      await cost.then((known) => storeCosts(asyncCommitDatabase(), [[first, known]])).catch(() => undefined);
    else cost.then((known) => storeCostLater(first, known)).catch(() => undefined);
    return first;
  }
  await checkCap();
  const { generationId } = context;
  const row = { id: randomUUID(), generationId, purpose, model: metered.model, cost: await cost };
  if (await openCall(asyncCommitDatabase(), row, processName)) return row.id;
  throw new GatewayError('aborted', 'The run was closed before the call');
}

const pendingOpens = new WeakMap<RunContext, Promise<unknown>>();

/** Opens the calls of a run one after another, so that each cap check sees the cost of the ones before. */
function openCallInOrder(call: CallOrigin, metered: CallUsage): Promise<string> {
  const before = pendingOpens.get(call.context) ?? Promise.resolve();
  const opening = before.catch(() => undefined).then(() => openRecordedCall(call, metered));
  pendingOpens.set(call.context, opening);
  return opening;
}

/** Follows OpenTelemetry's conventions for model calls. */
function startCallSpan(purpose: string, { model, modality }: CallUsage): Span {
  const operation = modality === 'text' ? 'chat' : 'generate_content';
  return startSpan(`${operation} ${model}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      'site.call.purpose': purpose,
    },
  });
}

const opened = (call: CallOrigin, metered: CallUsage, span: Span) =>
  openCallInOrder(call, metered).catch((error: unknown) => {
    span.end(failureName(error));
    throw error;
  });

/** Records one call, from before the request to its end. @throws RunFailure at the daily spend cap. */
export async function record(call: CallOrigin, metered: CallUsage): Promise<Recorder> {
  const span = startCallSpan(call.purpose, metered);
  const startedAt = performance.now();
  const id = await opened(call, metered, span);
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const end = async (
    outcome: string,
    used: Partial<Pick<GatewayOutcome, 'usage' | 'upstreamId'>> & { answeredBy?: string | null | undefined },
    status: number | null,
    error?: unknown,
  ) => {
    const figures = {
      promptTokens: used.usage?.promptTokens ?? null,
      completionTokens: used.usage?.completionTokens ?? null,
      durationMs: Math.round(performance.now() - startedAt),
      cost: await costOf(metered, used.usage, error),
    };
    countCall({ model: metered.model, error, ...figures });
    span.set({
      'gen_ai.usage.input_tokens': figures.promptTokens,
      'gen_ai.usage.output_tokens': figures.completionTokens,
      'http.response.status_code': status,
      'site.call.outcome': outcome,
    });
    // An aborted call belongs to a stopped run and is no error.
    span.end(error === undefined || outcome === 'aborted' ? undefined : outcome);
    const upstreamId = used.upstreamId === undefined ? null : redactForLog(used.upstreamId, '').slice(0, 200);
    const answeredBy = used.answeredBy ?? null;
    await call.context.heldCallEnd.hold({
      id,
      outcome,
      httpStatus: status,
      upstreamId,
      answeredBy,
      ...figures,
    });
  };
  return {
    id,
    metered,
    onHead: () => span.set({ 'site.call.first_byte_seconds': seconds() }),
    onFirstText: () => span.set({ 'site.call.first_text_seconds': seconds() }),
    done: (outcome, answeredBy) => end(outcome.finish, { ...outcome, answeredBy }, 200),
    failed: (error) => {
      const known = error instanceof GatewayError ? error : undefined;
      return end(known?.kind ?? 'internal', known ?? {}, known?.status ?? null, error);
    },
  };
}

const meteredText = ({ context, messages, search }: Call): CallUsage => ({
  model: context.model.id,
  modality: 'text',
  sent: tokensSent(messages),
  received: 0,
  searchMicros: search?.costMicros ?? 0,
});

function request(call: Call, { id: requestId, onHead }: Recorder) {
  const { LLM_BASE_URL, LLM_API_KEY, FIRST_TOKEN_SECONDS, publicUrl } = config();
  const { answerMs, ...bounds } = call.bounds;
  const firstByteMs = FIRST_TOKEN_SECONDS * 1_000;
  const estimated = { prompt: estimateMessageTokens(call.messages), answer: call.maxTokens };
  return {
    baseUrl: LLM_BASE_URL ?? '',
    apiKey: LLM_API_KEY ?? '',
    model: call.context.model.id,
    fallbacks: call.context.model.fallbacks,
    messages: call.messages,
    temperature: call.temperature,
    maxTokens: maxAnswerTokens(estimated, call.context.model.id),
    requestId,
    referer: publicUrl,
    title: 'AI tools',
    bounds: { ...bounds, firstByteMs, totalMs: firstByteMs + answerMs },
    responseFormat: call.responseFormat,
    sampling: call.sampling,
    search: call.search,
    onCitations: call.onCitations,
    signal: call.context.signal,
    onHead,
  };
}

function finishOrIncomplete(
  { generationId, markIncomplete }: RunContext,
  { finish, lost }: GatewayOutcome,
): FinishReason {
  log.warn({ generation: generationId, events: lost }, 'the gateway sent unreadable events');
  markIncomplete();
  return finish === 'stop' ? 'incomplete' : finishes[finish];
}

/** Gateways also use longer names for a model, such as one with a date, so only a fallback that we named counts. */
function fallbackOf({ model: requested }: RunContext, { model = '' }: GatewayOutcome): string | null {
  const isNamed = (id: string) => model === id || model.startsWith(`${id}-`) || model.startsWith(`${id}:`);
  return isNamed(requested.id) ? null : (requested.fallbacks.find(isNamed) ?? null);
}

/** @throws GatewayError; RunFailure at the daily spend cap. */
export async function* streamText(call: Call): AsyncGenerator<string, FinishReason, void> {
  const recorder = await record(call, meteredText(call));
  let ended: Promise<void> | undefined;
  let outcome: GatewayOutcome | undefined;
  let bytes = 0;
  let hasText = false;
  const receive = (piece: string) => {
    bytes += Buffer.byteLength(piece);
    recorder.metered.received = Math.ceil(bytes / BYTES_PER_TOKEN);
  };
  // Providers charge for thinking as for text.
  const onThinking = (piece: string) => {
    receive(piece);
    call.context.addThinking(piece);
  };
  const reply = (async function* () {
    outcome = yield* streamChat({ ...request(call, recorder), onThinking });
  })();
  const firstText = timeFirstText(recorder.metered.model);
  try {
    for await (const text of reply) {
      firstText.arrived();
      if (!hasText) recorder.onFirstText();
      hasText = true;
      receive(text);
      yield text;
    }
    if (!outcome) throw new Error('A reply ended without an outcome.');
    const answeredBy = fallbackOf(call.context, outcome);
    if (answeredBy !== null) call.context.answeredBy(answeredBy);
    ended = recorder.done(outcome, answeredBy);
    return outcome.lost ? finishOrIncomplete(call.context, outcome) : finishes[outcome.finish];
  } catch (error) {
    ended = recorder.failed(error);
    learnContext(error, call.context.model.id);
    throw error;
  } finally {
    firstText.ended();
    await (ended ?? recorder.failed(new GatewayError('aborted', 'The caller left')));
  }
}

export async function generateText(call: Call): Promise<{ text: string; finish: FinishReason }> {
  const recorder = await record(call, { ...meteredText(call), unseen: call.maxTokens });
  try {
    const { text, ...outcome } = await completeChat(request(call, recorder));
    recorder.metered.received = estimateTokens(text);
    await recorder.done(outcome);
    return { text, finish: finishes[outcome.finish] };
  } catch (error) {
    await recorder.failed(error);
    learnContext(error, call.context.model.id);
    throw error;
  }
}

export type ImageCall = CallOrigin & Pick<GatewayImageRequest, 'model' | 'prompt' | 'shape' | 'bounds'>;

/** Calls the gateway for pictures with the model that the run was started with. @throws as `streamText`. */
export async function generateImage(call: ImageCall): Promise<Pick<GeneratedImage, 'bytes'>> {
  const { model, prompt, shape, bounds, context } = call;
  const gateway = imageGateway(config());
  const sent = estimateTokens(prompt);
  const recorder = await record(call, { model, modality: 'picture', sent, received: 0 });
  try {
    const { bytes, usage, upstreamId } = await requestImage({
      ...gateway,
      model,
      prompt,
      shape,
      bounds,
      requestId: recorder.id,
      referer: config().publicUrl,
      title: 'AI tools',
      signal: context.signal,
      onHead: recorder.onHead,
    });
    await recorder.done({ finish: 'stop', usage, upstreamId });
    return { bytes };
  } catch (error) {
    await recorder.failed(error);
    throw error;
  }
}

export interface CallFailure {
  kind: GatewayError['kind'];
  status: number | null;
  blame: GatewayError['blame'];
  /** The same call would fail again: the operator must act, or the person must change the request. */
  lasting: boolean;
  /** The message, if it helps the operator with a key or a limit; otherwise it may repeat a person's words. */
  detail: string | null;
}

export function callFailure(error: unknown): CallFailure | null {
  if (!(error instanceof GatewayError)) return null;
  const { kind, status, blame, message } = error;
  const operatorFault = blame === 'ours';
  return {
    kind,
    status,
    blame,
    lasting: blame !== 'retryable',
    detail: operatorFault ? message.slice(0, 200) : null,
  };
}
