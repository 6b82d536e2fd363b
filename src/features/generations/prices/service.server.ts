import { config, pictureGateway } from '../../../platform/config/config.server.ts';
import { anyModel, type ModelPrice } from '../../../platform/config/model-prices.ts';
import { log } from '../../../platform/log/log.server.ts';
import { estimateTokens } from '../../../shared/tokens.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { ChatTurn, GatewayUsage } from '../gateway/gateway.adapter.server.ts';
import { fetchPriceList } from '../gateway/price-list.server.ts';

/** What a call makes, by which its gateway and its price are known. */
export type Made = 'text' | 'picture';

/** How long a price list holds, and after which time one that could not be read is asked for again. */
const HOLDS_MS = 6 * 3_600_000;
const AGAIN_MS = 5 * 60_000;

/** Tokens of a picture that is sent, and of one that is made, on the large side. */
const PICTURE_SENT = 1_100;
const PICTURE_MADE = 1_300;

/**
 * Where SPEND_CAP_DAY is set and nobody knows a price, a call counts as one of a dear model: a cap that does not count
 * would hold nothing. The doctor says so.
 */
const assumed: Record<Made, ModelPrice> = {
  text: { input: 10, output: 30, call: 0 },
  picture: { input: 0, output: 0, call: 0.25 },
};

interface List {
  prices: Map<string, ModelPrice>;
  staleAt: number;
  /** The read that is under way. */
  reading: Promise<void> | null;
}

const lists = new Map<string, List>();

function read(list: List, gateway: Parameters<typeof fetchPriceList>[0]): Promise<void> {
  return fetchPriceList(gateway)
    .then((prices) => {
      list.prices = prices;
      list.staleAt = performance.now() + HOLDS_MS;
    })
    .catch((error: unknown) => {
      list.staleAt = performance.now() + AGAIN_MS;
      log.debug({ error }, 'the price list of the gateway could not be read');
    })
    .finally(() => {
      list.reading = null;
    });
}

/** The gateway's list, read once for all who ask. Only the first read is waited for; a list that is too old serves meanwhile. */
async function listOf(made: Made): Promise<Map<string, ModelPrice>> {
  const { LLM_BASE_URL = '', LLM_API_KEY = '' } = config();
  const { baseUrl, apiKey, protocol } = pictureGateway(config());
  const gateway =
    made === 'picture'
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

/** The price of a model: the operator's, else that of the gateway's list; null where neither names it. */
export async function knownPrice(model: string, made: Made): Promise<ModelPrice | null> {
  const set = config().LLM_PRICES;
  const own = set?.get(model);
  if (own) return own;
  return (await listOf(made)).get(model) ?? set?.get(anyModel) ?? null;
}

const told = new Set<string>();

async function priceOf(model: string, made: Made): Promise<ModelPrice | null> {
  const known = await knownPrice(model, made);
  if (known || config().SPEND_CAP_DAY === undefined) return known;
  if (!told.has(model)) {
    told.add(model);
    log.error(
      { model, assumed: assumed[made] },
      'no price is known: SPEND_CAP_DAY counts an assumed one; set LLM_PRICES',
    );
  }
  return assumed[made];
}

/** A call as far as its cost goes. Tokens are estimates, used where the gateway reports none. */
export interface Metered {
  model: string;
  made: Made;
  sent: number;
  received: number;
  /** What a call that shows nothing before its end may have made by the time it is cut off. */
  unseen?: number;
}

/** Millionths of a US dollar; null where no price is known. */
export interface Cost {
  micros: number | null;
  /** Not the gateway's own word. */
  estimated: boolean;
}

/** The tokens that a request holds, on the large side. */
export function tokensSent(messages: readonly ChatTurn[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') tokens += estimateTokens(content);
    else
      for (const part of content) tokens += part.type === 'text' ? estimateTokens(part.text) : PICTURE_SENT;
  }
  return tokens;
}

async function estimate({ model, made, sent, received }: Metered): Promise<Cost> {
  const price = await priceOf(model, made);
  if (!price) return { micros: null, estimated: true };
  const micros = sent * price.input + received * price.output + price.call * 1e6;
  return { micros: Math.ceil(micros), estimated: true };
}

/** What a call that is on its way has cost at least; for a picture all of it, for it is not made by halves. */
export const costSoFar = (call: Metered): Promise<Cost> =>
  estimate(call.made === 'picture' ? { ...call, received: PICTURE_MADE } : call);

/** Failures before a model begins to work: nothing was there, or the gateway refused. */
const isUnbilled = (error: unknown, { received }: Metered): boolean =>
  error instanceof GatewayError &&
  received === 0 &&
  (error.kind === 'refused' || (error.status !== null && error.status >= 400));

/**
 * What a call cost that has ended: the gateway's own word, else its tokens, or estimates of them, by price.
 * @param error what it failed by; a call that was cut off counts with what was sent and what had come.
 */
export async function costOf(call: Metered, usage: GatewayUsage | undefined, error?: unknown): Promise<Cost> {
  if (usage && usage.costMicros !== null) return { micros: usage.costMicros, estimated: false };
  const reported = usage?.promptTokens != null || usage?.completionTokens != null;
  if (!reported && isUnbilled(error, call)) return { micros: 0, estimated: false };
  const made = call.made === 'picture' ? PICTURE_MADE : call.received;
  return estimate({
    ...call,
    sent: usage?.promptTokens ?? call.sent,
    received: usage?.completionTokens ?? (error === undefined ? made : Math.max(made, call.unseen ?? 0)),
  });
}
