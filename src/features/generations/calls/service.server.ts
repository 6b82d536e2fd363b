import { randomUUID } from 'node:crypto';
import { config, pictureGateway } from '../../../platform/config/config.server.ts';
import { quickDatabase } from '../../../platform/database/database.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { estimateTokens, TOKEN_BYTES } from '../../../shared/tokens.ts';
import { checkSpendCap } from '../../credits/service.server.ts';
import { answerRoom, learnContext, sizeOf } from '../context/service.server.ts';
import type { FinishReason } from '../contract.ts';
import { owner, type RunContext } from '../engine/service.server.ts';
import { GatewayError } from '../gateway/errors.ts';
import {
  type ChatTurn,
  completeChat,
  type GatewayBounds,
  type GatewayOutcome,
  streamChat,
} from '../gateway/gateway.adapter.server.ts';
import { type MadePicture, makePicture, type PictureRequest } from '../gateway/picture.adapter.server.ts';
import { costOf, costSoFar, type Metered, tokensSent } from '../prices/service.server.ts';
import { type CallEnd, endCall, noteCost, openCall } from '../store.server.ts';
import { RunFailure } from '../verdict/service.server.ts';

/** Whose call it is, and what it is for; the first one of a run is named after the feature. */
interface OfRun {
  context: RunContext;
  purpose: string;
}

/** Bounds of one call. Its first token may take as long as the configuration says; `answerMs` is for what follows. */
export interface CallBounds extends Omit<GatewayBounds, 'firstByteMs' | 'totalMs'> {
  answerMs: number;
}

export interface Call extends OfRun {
  messages: ChatTurn[];
  temperature: number;
  maxTokens: number;
  bounds: CallBounds;
  /** What the answer must be, as the protocol's `response_format`; not every gateway takes it. */
  responseFormat?: unknown;
}

const finishes: Record<GatewayOutcome['finish'], FinishReason> = {
  stop: 'stop',
  length: 'length',
  bound: 'length',
  content_filter: 'filtered',
};

interface Recorder {
  id: string;
  /** What it used so far, by our own count. */
  metered: Metered;
  done(outcome: Pick<GatewayOutcome, 'finish' | 'usage' | 'upstreamId'>): Promise<void>;
  failed(error: unknown): Promise<void>;
}

/** Completes a call's row, later if the database is away now: the cost of the day is the sum of these rows. */
async function complete(id: string, end: CallEnd, attempt = 0): Promise<void> {
  try {
    await endCall(quickDatabase(), id, end);
  } catch (error) {
    log.warn({ error, call: id, attempt }, 'the end of a gateway call could not be recorded yet');
    if (attempt >= 8) return;
    setTimeout(() => void complete(id, end, attempt + 1), 500 * 2 ** attempt).unref();
  }
}

/** @throws RunFailure once the day's cost has reached the cap of the site. */
async function checkCap(): Promise<void> {
  try {
    await checkSpendCap();
  } catch (error) {
    throw error instanceof Problem ? new RunFailure('spend_cap', error.message) : error;
  }
}

/** The first call was written down by the admission; a later one is now, if the cap of the day leaves room for it. */
async function opened({ context, purpose }: OfRun, metered: Metered): Promise<string> {
  const first = context.takeFirstCall();
  const cost = costSoFar(metered);
  if (first) {
    const noted = cost.then((known) => noteCost(quickDatabase(), first, known)).catch(() => undefined);
    // The price of a picture is known beforehand, and the next one is opened beside it.
    if (metered.made === 'picture') await noted;
    return first;
  }
  await checkCap();
  const { generationId } = context;
  const row = { id: randomUUID(), generationId, purpose, model: metered.model, cost: await cost };
  if (await openCall(quickDatabase(), row, owner)) return row.id;
  throw new GatewayError('aborted', 'The run was closed before the call');
}

const openings = new WeakMap<RunContext, Promise<unknown>>();

/** Calls of one run are opened one after the other, so that each sees what the one before it costs. */
function openedInTurn(call: OfRun, metered: Metered): Promise<string> {
  const before = openings.get(call.context) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => opened(call, metered));
  openings.set(call.context, mine);
  return mine;
}

async function record(call: OfRun, metered: Metered): Promise<Recorder> {
  const startedAt = performance.now();
  const id = await openedInTurn(call, metered);
  const end = async (
    outcome: string,
    used: Partial<Pick<GatewayOutcome, 'usage' | 'upstreamId'>>,
    status: number | null,
    error?: unknown,
  ) =>
    complete(id, {
      outcome,
      httpStatus: status,
      promptTokens: used.usage?.promptTokens ?? null,
      completionTokens: used.usage?.completionTokens ?? null,
      cost: await costOf(metered, used.usage, error),
      upstreamId: used.upstreamId?.slice(0, 200) ?? null,
      durationMs: Math.round(performance.now() - startedAt),
    });
  return {
    id,
    metered,
    done: (outcome) => end(outcome.finish, outcome, 200),
    failed: (error) => {
      const known = error instanceof GatewayError ? error : undefined;
      return end(known?.kind ?? 'internal', known ?? {}, known?.status ?? null, error);
    },
  };
}

const meteredText = ({ messages }: Call): Metered => ({
  model: config().LLM_MODEL,
  made: 'text',
  sent: tokensSent(messages),
  received: 0,
});

function request(call: Call, requestId: string) {
  const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL, FIRST_TOKEN_SECONDS, publicUrl } = config();
  const { answerMs, ...bounds } = call.bounds;
  const firstByteMs = FIRST_TOKEN_SECONDS * 1_000;
  const asked = { prompt: sizeOf(call.messages), answer: call.maxTokens };
  return {
    baseUrl: LLM_BASE_URL ?? '',
    apiKey: LLM_API_KEY ?? '',
    model: LLM_MODEL,
    messages: call.messages,
    temperature: call.temperature,
    maxTokens: answerRoom(asked),
    requestId,
    referer: publicUrl,
    title: 'AI tools',
    bounds: { ...bounds, firstByteMs, totalMs: firstByteMs + answerMs },
    responseFormat: call.responseFormat,
    signal: call.context.signal,
  };
}

/** The finish of a text with holes, which the whole run is marked with. */
function holed({ generationId, markIncomplete }: RunContext, { finish, lost }: GatewayOutcome): FinishReason {
  log.warn({ generation: generationId, events: lost }, 'the gateway sent events that cannot be read');
  markIncomplete();
  return finish === 'stop' ? 'incomplete' : finishes[finish];
}

/** A streamed call, recorded before it is made and when it ends. @throws GatewayError; RunFailure at the cap of the day. */
export async function* callStreamed(call: Call): AsyncGenerator<string, FinishReason, void> {
  const recorder = await record(call, meteredText(call));
  let ended: Promise<void> | undefined;
  let outcome: GatewayOutcome | undefined;
  const reply = (async function* () {
    outcome = yield* streamChat(request(call, recorder.id));
  })();
  let bytes = 0;
  try {
    for await (const text of reply) {
      bytes += Buffer.byteLength(text);
      recorder.metered.received = Math.ceil(bytes / TOKEN_BYTES);
      yield text;
    }
    if (!outcome) throw new Error('A reply ended without an outcome.');
    ended = recorder.done(outcome);
    return outcome.lost ? holed(call.context, outcome) : finishes[outcome.finish];
  } catch (error) {
    ended = recorder.failed(error);
    learnContext(error);
    throw error;
  } finally {
    await (ended ?? recorder.failed(new GatewayError('aborted', 'The caller left')));
  }
}

/** A call answered in one piece. @throws GatewayError; RunFailure at the cap of the day. */
export async function callWhole(call: Call): Promise<{ text: string; finish: FinishReason }> {
  const recorder = await record(call, { ...meteredText(call), unseen: call.maxTokens });
  try {
    const { text, ...outcome } = await completeChat(request(call, recorder.id));
    recorder.metered.received = estimateTokens(text);
    await recorder.done(outcome);
    return { text, finish: finishes[outcome.finish] };
  } catch (error) {
    await recorder.failed(error);
    learnContext(error);
    throw error;
  }
}

export type PictureCall = OfRun & Pick<PictureRequest, 'prompt' | 'shape' | 'bounds'>;

/** A call for one picture, by the model and address for pictures. @throws GatewayError; RunFailure at the cap of the day. */
export async function callPicture(call: PictureCall): Promise<Pick<MadePicture, 'bytes'>> {
  const { prompt, shape, bounds, context } = call;
  const gateway = pictureGateway(config());
  const sent = estimateTokens(prompt);
  const recorder = await record(call, { model: gateway.model, made: 'picture', sent, received: 0 });
  try {
    const { bytes, usage, upstreamId } = await makePicture({
      ...gateway,
      prompt,
      shape,
      bounds,
      requestId: recorder.id,
      referer: config().publicUrl,
      title: 'AI tools',
      signal: context.signal,
    });
    await recorder.done({ finish: 'stop', usage, upstreamId });
    return { bytes };
  } catch (error) {
    await recorder.failed(error);
    throw error;
  }
}

/** What is known of a call that failed. */
export interface CallFailure {
  kind: GatewayError['kind'];
  status: number | null;
  blame: GatewayError['blame'];
  /** The same call would fail again: the operator must act, or the person change what they ask for. */
  lasting: boolean;
  /** What the provider said, where that helps the operator with a key or a limit; elsewhere it may repeat a person's words. */
  said: string | null;
}

/** The failure of a call; null for any other error. */
export function callFailure(error: unknown): CallFailure | null {
  if (!(error instanceof GatewayError)) return null;
  const { kind, status, blame, message } = error;
  const ours = blame === 'ours';
  return {
    kind,
    status,
    blame,
    lasting: blame !== 'retryable',
    said: ours ? message.slice(0, 200) : null,
  };
}
