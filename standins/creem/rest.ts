/** Serves the calls of api.ts: the key, the log, the faults, and errors in Creem's shapes. */
import type { IncomingMessage } from 'node:http';
import type { Holds } from '../holds.ts';
import { baseOf, type Call, type Router, readJson, sendJson } from '../http.ts';
import type { RequestLog } from '../log.ts';
import { CALLS, objectOf } from './api.ts';
import { ApiFaults, spoiltBefore } from './api-faults.ts';
import { advance } from './course.ts';
import { CreemRefusal, sendCreemError } from './reply.ts';
import type { Shop } from './shop.ts';

export interface RestParts {
  router: Router;
  log: RequestLog;
  holds: Holds;
  shop: Shop;
}

/** The key of a request; null for one that Creem would not take. */
export function keyOf(req: IncomingMessage): string | null {
  const key = String(req.headers['x-api-key'] ?? '');
  return /^creem_\S+$/.test(key) ? key : null;
}

async function bodyOf(req: IncomingMessage): Promise<Record<string, unknown>> {
  const empty = req.headers['content-length'] === undefined || req.headers['content-length'] === '0';
  if (req.method === 'GET' || (empty && !req.headers['transfer-encoding'])) return {};
  return objectOf(await readJson(req));
}

class Rest {
  readonly #parts: RestParts;
  readonly #faults = new ApiFaults();

  constructor(parts: RestParts) {
    this.#parts = parts;
  }

  async answer(call: Call, handler: (typeof CALLS)[string]): Promise<void> {
    const { shop, log, holds } = this.#parts;
    const { req, res, url, params } = call;
    const body = await bodyOf(req);
    const entry = log.open(req, res, url.pathname, {
      detail: { kind: 'creem', query: Object.fromEntries(url.searchParams), body },
    });
    // Creem answers a bad key with 403 and no message.
    const apiKey = keyOf(req);
    if (apiKey === null) return sendCreemError(res, 403);
    const path = url.pathname.replace(/^\/creem/, '');
    const fault = this.#faults.of(shop.switches().api, path);
    entry.view.mode = fault;
    if (fault && (await spoiltBefore(fault, { res, path, holds }))) return;
    advance(shop);
    const input = { base: baseOf(req), apiKey, params, query: url.searchParams, body };
    const answer = handler?.(shop, input);
    if (fault === 'lost') res.destroy();
    else sendJson(res, 200, answer);
  }
}

/** Mounts /creem/v1. */
export function mountRest(parts: RestParts): void {
  const rest = new Rest(parts);
  for (const [name, handler] of Object.entries(CALLS)) {
    const [method, path] = name.split(' ') as ['GET' | 'POST', string];
    parts.router.on(method, `/creem${path}`, async (call) => {
      try {
        await rest.answer(call, handler);
      } catch (error) {
        if (!(error instanceof CreemRefusal)) throw error;
        sendCreemError(call.res, error.status, [error.message]);
      }
    });
  }
}
