import * as http from 'node:http';
import * as https from 'node:https';
import { guardedLookup, isPublicAddress, type Resolve, resolveBySystem } from './address-checks.server.ts';
import { type OutboundResponse, sendHttpRequest } from './http-request.server.ts';
import { originPattern } from './origin-pattern.ts';
import { OutboundFailed, OutboundRefused } from './outbound-errors.ts';

/** Times in milliseconds from the start; `maxBytes` limits the response body. */
export interface OutboundInit {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** Covers DNS, TCP and TLS. The default of 2.5 s detects a dead address within 3 s. */
  connectMs?: number;
  firstByteMs?: number;
  totalMs?: number;
  maxBytes?: number;
}

export interface Outbound {
  request(url: string | URL, init?: OutboundInit): Promise<OutboundResponse>;
  close(): void;
}

export interface OutboundOptions {
  /** Origins or patterns, as `originPattern` accepts them. */
  origins: readonly string[];
  resolve?: Resolve;
  permitted?: (address: string) => boolean;
}

const DEFAULTS = { connectMs: 2_500, firstByteMs: 30_000, totalMs: 180_000, maxBytes: 16 * 1024 * 1024 };

/** Idle connections close before most servers close them (Node: 5 s), so that few requests meet a dead connection. */
const IDLE_MS = 4_000;

function parse(url: string | URL): URL {
  const text = String(url);
  if (!URL.canParse(text)) throw new OutboundRefused('url', 'The address is not a URL');
  const parsed = new URL(text);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new OutboundRefused('scheme', `The scheme ${parsed.protocol} is barred`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new OutboundRefused('credentials', 'An address with a user name or password is barred');
  }
  return parsed;
}

type OriginMatcher = (url: URL) => boolean;

function configuredOrigin(text: string): OriginMatcher {
  const url = parse(text);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new OutboundRefused('url', `${url.origin} must be configured as an origin, without a path`);
  }
  const matches = originPattern(url.origin);
  if (!matches) throw new OutboundRefused('url', `${url.origin} is neither an origin nor a pattern of some`);
  return matches;
}

class Gate implements Outbound {
  readonly #origins: readonly OriginMatcher[];
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent };
  readonly #lookup;

  constructor(options: OutboundOptions) {
    this.#origins = [...new Set(options.origins)].map(configuredOrigin);
    const pool = { keepAlive: true, maxFreeSockets: 512, timeout: IDLE_MS };
    this.#agents = { 'http:': new http.Agent(pool), 'https:': new https.Agent(pool) };
    this.#lookup = guardedLookup(options.resolve ?? resolveBySystem, options.permitted ?? isPublicAddress);
  }

  async request(url: string | URL, init: OutboundInit = {}): Promise<OutboundResponse> {
    const target = this.#admit(url);
    if (init.signal?.aborted) throw new OutboundFailed('aborted', 'The request was aborted');
    return sendHttpRequest({
      url: target,
      method: init.method ?? 'GET',
      headers: init.headers ?? {},
      body: init.body,
      signal: init.signal,
      connectMs: init.connectMs ?? DEFAULTS.connectMs,
      firstByteMs: init.firstByteMs ?? DEFAULTS.firstByteMs,
      totalMs: init.totalMs ?? DEFAULTS.totalMs,
      maxBytes: init.maxBytes ?? DEFAULTS.maxBytes,
      agent: target.protocol === 'https:' ? this.#agents['https:'] : this.#agents['http:'],
      lookup: this.#lookup,
    });
  }

  close(): void {
    this.#agents['http:'].destroy();
    this.#agents['https:'].destroy();
  }

  #admit(url: string | URL): URL {
    const target = parse(url);
    if (!this.#origins.some((matches) => matches(target)))
      throw new OutboundRefused('origin', `${target.origin} is not a configured origin`);
    return target;
  }
}

export function createOutbound(options: OutboundOptions): Outbound {
  return new Gate(options);
}

let current: Outbound = createOutbound({ origins: [] });

/** Call it before the first request. A second call closes the previous connections. @throws OutboundRefused */
export function configureOutbound(origins: readonly string[]): void {
  const next = createOutbound({ origins });
  current.close();
  current = next;
}

/**
 * Sends a request; all HTTP traffic to other services goes through here. Redirects are refused.
 * @throws OutboundRefused (rules) or OutboundFailed (network, time, size, abort)
 */
export async function outbound(url: string | URL, init: OutboundInit = {}): Promise<OutboundResponse> {
  return current.request(url, init);
}
