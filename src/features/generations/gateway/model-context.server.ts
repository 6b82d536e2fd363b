import { outbound } from '#platform/outbound/outbound.server.ts';
import { contextOfModel } from './context-length.ts';
import { endpoint, headersOf } from './gateway-request.server.ts';
import type { GatewayRequest } from './gateway-types.ts';

/** OpenRouter's list of all models is a few MiB. */
const BOUNDS = { firstByteMs: 5_000, totalMs: 10_000, maxBytes: 16 * 1024 * 1024 };

export async function contextLengthOf(request: GatewayRequest): Promise<number | null> {
  try {
    const url = endpoint(request.baseUrl, '/models');
    const headers = headersOf(request, url, 'application/json');
    const response = await outbound(url, { headers, signal: request.signal, ...BOUNDS });
    const { data } = JSON.parse(await response.text()) as { data?: unknown };
    if (!Array.isArray(data)) return null;
    const named = data.find((each: { id?: unknown } | null) => each?.id === request.model);
    // llama.cpp serves a single model, whatever name a request uses.
    return contextOfModel(named ?? (data.length === 1 ? data[0] : null));
  } catch {
    return null;
  }
}
