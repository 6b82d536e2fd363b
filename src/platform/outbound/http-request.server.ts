import { Buffer } from 'node:buffer';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { OutboundFailed, OutboundRefused, toOutboundError } from './outbound-errors.ts';
import { BodyReader } from './response-body.server.ts';

export interface OutboundResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: AsyncIterable<Buffer>;
  text(maxBytes?: number): Promise<string>;
  close(): void;
  /** Reads the small rest for at most a second, then frees the connection for reuse. */
  release(): void;
}

/** Times in milliseconds. */
export interface HttpRequestPlan {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  signal: AbortSignal | undefined;
  connectMs: number;
  firstByteMs: number;
  totalMs: number;
  maxBytes: number;
  agent: http.Agent;
  lookup: LookupFunction;
}

const RELEASE_MS = 1_000;

export function sendHttpRequest(plan: HttpRequestPlan): Promise<OutboundResponse> {
  return new HttpRequest(plan).head;
}

class HttpRequest {
  readonly head: Promise<OutboundResponse>;
  readonly #plan: HttpRequestPlan;
  readonly #startedAt = performance.now();
  readonly #request: http.ClientRequest;
  readonly #onAbort = () => this.#fail(new OutboundFailed('aborted', 'The request was aborted'));
  #resolve: (response: OutboundResponse) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #connected = false;
  #settled = false;
  #body: BodyReader | null = null;

  constructor(plan: HttpRequestPlan) {
    this.#plan = plan;
    this.head = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#request = this.#send();
    plan.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#arm(plan.connectMs, 'connect', 'No connection in time');
  }

  #send(): http.ClientRequest {
    const { url, method, headers, body, agent, lookup } = this.#plan;
    const secure = url.protocol === 'https:';
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = (secure ? https : http).request({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? undefined : Number(url.port),
      path: url.pathname + url.search,
      method,
      // Bodies are not decompressed, so the server must not compress them.
      headers: { ...headers, ...length, 'accept-encoding': 'identity' },
      agent,
      lookup,
    });
    request.once('socket', (socket) => {
      const onConnected = () => this.#onConnected();
      if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', onConnected);
      else onConnected();
    });
    request.once('response', (response) => this.#onResponse(response));
    request.on('error', (error) => this.#fail(toOutboundError(error, this.#connected)));
    request.end(body);
    return request;
  }

  #arm(ms: number, kind: 'connect' | 'first_byte_timeout' | 'total_timeout', message: string): void {
    clearTimeout(this.#timer);
    const remaining = Math.min(ms, this.#plan.totalMs) - (performance.now() - this.#startedAt);
    const onTimeout = () => this.#fail(new OutboundFailed(kind, message, 'ETIMEDOUT'));
    this.#timer = setTimeout(onTimeout, Math.max(0, remaining));
  }

  #onConnected(): void {
    this.#connected = true;
    if (!this.#settled) this.#arm(this.#plan.firstByteMs, 'first_byte_timeout', 'No answer in time');
  }

  #onResponse(source: http.IncomingMessage): void {
    const status = source.statusCode ?? 0;
    source.on('error', (error) => this.#fail(toOutboundError(error, true)));
    if (this.#settled) return;
    if (status >= 300 && status < 400) {
      this.#fail(new OutboundRefused('redirect', `A redirect (${status}) is not followed`));
      return;
    }
    this.#arm(this.#plan.totalMs, 'total_timeout', 'The answer took too long');
    const body = new BodyReader(source, this.#plan.maxBytes, () => this.#close());
    this.#body = body;
    source.once('end', () => this.#settle());
    source.once('close', () => {
      // Creating an error captures its stack, which costs time, and most responses have ended by now.
      if (!this.#settled) this.#fail(new OutboundFailed('reset', 'The connection broke', 'ECONNRESET'));
    });
    this.#resolve({
      status,
      headers: source.headers,
      body,
      text: (maxBytes = this.#plan.maxBytes) => readText(body, maxBytes),
      close: () => this.#close(),
      release: () => this.#release(body),
    });
  }

  #close(): void {
    this.#fail(new OutboundFailed('closed', 'The reader closed the connection'));
  }

  #release(body: BodyReader): void {
    if (this.#settled) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#close(), RELEASE_MS);
    body.discard();
  }

  #fail(error: OutboundFailed | OutboundRefused): void {
    if (this.#settled) return;
    this.#settle();
    this.#body?.fail(error, error.kind === 'aborted' || error.kind === 'closed');
    this.#reject(error);
    this.#request.destroy();
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#plan.signal?.removeEventListener('abort', this.#onAbort);
  }
}

async function readText(body: BodyReader, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundFailed('too_large', `The answer is over ${maxBytes} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}
