import type { ModelPrice } from '#platform/config/model-prices.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';
import { isRecord } from './stream-chunk.ts';

/** A list of several hundred models is about half a megabyte. */
const BOUNDS = { firstByteMs: 5_000, totalMs: 10_000, maxBytes: 8 * 1024 * 1024 };

/** USD per token and per call. No model costs more; larger numbers are noise. */
const MAX_A_TOKEN = 0.01;
const MAX_A_CALL = 10;

/** Returns null for an implausible price. OpenRouter sends strings, and -1 for a model that routes to others. */
function amount(value: unknown, max = MAX_A_TOKEN): number | null {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return number >= 0 && number <= max ? number : null;
}

function priceOf(pricing: unknown): ModelPrice | null {
  if (!isRecord(pricing)) return null;
  const [input, output] = [
    amount(pricing.prompt),
    amount(pricing.image_output) ?? amount(pricing.completion),
  ];
  const call = pricing.request === undefined ? 0 : amount(pricing.request, MAX_A_CALL);
  if (input === null || output === null || call === null) return null;
  return { input: input * 1e6, output: output * 1e6, call };
}

/** Parses OpenRouter's format (protocols.md 2.4). */
export function readPriceList(body: unknown): Map<string, ModelPrice> {
  const { data } = isRecord(body) ? body : {};
  const prices = new Map<string, ModelPrice>();
  for (const model of Array.isArray(data) ? (data as unknown[]) : []) {
    if (!isRecord(model) || typeof model.id !== 'string') continue;
    const price = priceOf(model.pricing);
    if (price) prices.set(model.id, price);
  }
  return prices;
}

/** With `pictures`, requests image models, which OpenRouter omits by default. @throws if the list is unavailable */
export async function fetchPriceList({
  baseUrl,
  apiKey,
  pictures,
}: {
  baseUrl: string;
  apiKey: string;
  pictures: boolean;
}): Promise<Map<string, ModelPrice>> {
  const query = pictures ? '?output_modalities=image' : '';
  const response = await outbound(`${baseUrl.replace(/\/+$/, '')}/models${query}`, {
    headers: {
      accept: 'application/json',
      ...(apiKey.trim() ? { authorization: `Bearer ${apiKey.trim()}` } : {}),
    },
    ...BOUNDS,
  });
  const text = await response.text();
  if (response.status === 429 || response.status >= 500)
    throw new Error(`The list of models is away (status ${response.status}).`);
  if (response.status !== 200) return new Map();
  return readPriceList(JSON.parse(text));
}
