import { config, imageGateway } from '#platform/config/config.server.ts';
import { anyModel, type ModelPrice } from '#platform/config/model-prices.ts';
import { log } from '#platform/log.server.ts';
import { estimateTokens } from '#shared/token-estimate.ts';
import type { GatewayMessage, GatewayUsage } from './gateway/chat-completions.server.ts';
import { GatewayError } from './gateway/gateway-error.ts';
import { fetchPriceList } from './gateway/price-list.server.ts';

/** Transcripts are missing, because their calls bring the price per minute along. */
export type Modality = 'text' | 'picture';

const FRESH_MS = 6 * 3_600_000;
const RETRY_MS = 5 * 60_000;

const IMAGE_INPUT_TOKENS = 1_100;
const IMAGE_OUTPUT_TOKENS = 1_300;

/** For models of unknown price: those of an expensive model, because a cap must count every call. */
const assumedPrices: Record<Modality, ModelPrice> = {
  text: { input: 10, output: 30, call: 0 },
  picture: { input: 0, output: 0, call: 0.25 },
};

interface PriceList {
  prices: Map<string, ModelPrice>;
  staleAt: number;
  reading: Promise<void> | null;
}

const lists = new Map<string, PriceList>();

function read(list: PriceList, gateway: Parameters<typeof fetchPriceList>[0]): Promise<void> {
  return fetchPriceList(gateway)
    .then((prices) => {
      list.prices = prices;
      list.staleAt = performance.now() + FRESH_MS;
    })
    .catch((error: unknown) => {
      list.staleAt = performance.now() + RETRY_MS;
      log.debug({ error }, 'the price list of the gateway could not be read');
    })
    .finally(() => {
      list.reading = null;
    });
}

/** Waits only for the first read; later an outdated list is used while a new one is read. */
async function pricesFor(modality: Modality): Promise<Map<string, ModelPrice>> {
  const { LLM_BASE_URL = '', LLM_API_KEY = '' } = config();
  const { baseUrl, apiKey, protocol } = imageGateway(config());
  const gateway =
    modality === 'picture'
      ? { baseUrl, apiKey, pictures: protocol === 'openrouter' }
      : { baseUrl: LLM_BASE_URL, apiKey: LLM_API_KEY, pictures: false };
  const key = `${gateway.pictures} ${gateway.baseUrl}`;
  const known = lists.get(key);
  const list = known ?? { prices: new Map(), staleAt: 0, reading: null };
  lists.set(key, list);
  if (performance.now() >= list.staleAt) list.reading ??= read(list, gateway);
  if (list.staleAt === 0) await list.reading;
  return list.prices;
}

export async function knownPrice(model: string, modality: Modality): Promise<ModelPrice | null> {
  const configured = config().LLM_PRICES;
  const own = configured?.get(model);
  if (own) return own;
  return (await pricesFor(modality)).get(model) ?? configured?.get(anyModel) ?? null;
}

const warnedModels = new Set<string>();

async function priceOf(model: string, modality: Modality): Promise<ModelPrice | null> {
  const known = await knownPrice(model, modality);
  if (known || config().SPEND_CAP_DAY === undefined) return known;
  if (!warnedModels.has(model)) {
    warnedModels.add(model);
    log.error(
      { model, assumed: assumedPrices[modality] },
      'the price of a model is unknown, so SPEND_CAP_DAY counts an assumed one; set LLM_PRICES',
    );
  }
  return assumedPrices[modality];
}

/** Token counts are estimates, used if the gateway reports none. */
export interface CallUsage {
  model: string;
  modality: Modality | 'transcript';
  sent: number;
  received: number;
  /** Tokens that a call without streaming may have produced by the time it is cut off. */
  unseen?: number;
  /** Cost of the gateway's search before a text. */
  searchMicros?: number;
  /** Cost of a transcript, from the length of the audio. */
  spokenMicros?: number;
}

export interface Cost {
  micros: number | null;
  estimated: boolean;
}

export function tokensSent(messages: readonly GatewayMessage[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') tokens += estimateTokens(content);
    else
      for (const part of content)
        tokens += part.type === 'text' ? estimateTokens(part.text) : IMAGE_INPUT_TOKENS;
  }
  return tokens;
}

async function estimate(call: CallUsage): Promise<Cost> {
  const { model, modality, sent, received, searchMicros = 0, spokenMicros = 0 } = call;
  if (modality === 'transcript') return { micros: spokenMicros, estimated: true };
  const price = await priceOf(model, modality);
  if (!price) return { micros: searchMicros || null, estimated: true };
  const micros = sent * price.input + received * price.output + price.call * 1e6 + searchMicros;
  return { micros: Math.ceil(micros), estimated: true };
}

/** A picture counts in full, because it is never made by halves. */
export const costSoFar = (call: CallUsage): Promise<Cost> =>
  estimate(call.modality === 'picture' ? { ...call, received: IMAGE_OUTPUT_TOKENS } : call);

const isUnbilled = (error: unknown, { received }: CallUsage): boolean =>
  error instanceof GatewayError &&
  received === 0 &&
  (error.kind === 'refused' || (error.status !== null && error.status >= 400));

/**
 * Returns the cost that the gateway reports, otherwise tokens times price. A call that was cut off (`error`) counts
 * what was sent and what had arrived.
 */
export async function costOf(
  call: CallUsage,
  usage: GatewayUsage | undefined,
  error?: unknown,
): Promise<Cost> {
  if (usage && usage.costMicros !== null) return { micros: usage.costMicros, estimated: false };
  const reported = usage?.promptTokens != null || usage?.completionTokens != null;
  if (!reported && isUnbilled(error, call)) return { micros: 0, estimated: false };
  const produced = call.modality === 'picture' ? IMAGE_OUTPUT_TOKENS : call.received;
  return estimate({
    ...call,
    sent: usage?.promptTokens ?? call.sent,
    received:
      usage?.completionTokens ?? (error === undefined ? produced : Math.max(produced, call.unseen ?? 0)),
  });
}
