/** Uses node:http directly, because the faults cut, hold and split its sockets byte by byte. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Call {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  params: Record<string, string>;
}

export type Handler = (call: Call) => void | Promise<void>;

export class HttpError extends Error {
  readonly status: number;
  readonly kind: string;
  constructor(status: number, kind: string, message: string) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)(?::\d{1,5})?$/i.test(host.trim());
}

export function baseOf(req: IncomingMessage): string {
  return `http://127.0.0.1:${req.socket.localPort}`;
}

type Headers = Record<string, string | number>;

export function send(
  res: ServerResponse,
  status: number,
  type: string,
  text: string,
  extraHeaders: Headers = {},
): void {
  const body = Buffer.from(text);
  res.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': body.length,
    'cache-control': 'no-store',
    ...extraHeaders,
  });
  res.end(body);
}

export function sendJson(
  res: ServerResponse,
  status: number,
  value: unknown,
  extraHeaders: Headers = {},
): void {
  const headers = { 'x-content-type-options': 'nosniff', ...extraHeaders };
  send(res, status, 'application/json', JSON.stringify(value), headers);
}

export function seeOther(res: ServerResponse, location: string): void {
  const headers = { 'content-length': 0, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  res.writeHead(303, { location, ...headers }).end();
}

/** Reads the body. @throws HttpError 413 above `limit` bytes. */
export async function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) throw new HttpError(413, 'too_large', `The body is over ${limit} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reads the body as text. @throws HttpError 413 above `limit` bytes, 415 for another content type. */
async function readBody(req: IncomingMessage, type: string, limit: number): Promise<string> {
  const [contentType = ''] = (req.headers['content-type'] ?? '').split(';');
  if (contentType.trim().toLowerCase() !== type)
    throw new HttpError(415, 'unsupported_type', `Send ${type}.`);
  return (await readBytes(req, limit)).toString('utf8');
}

export async function readJson(req: IncomingMessage, limit = 1 << 20): Promise<unknown> {
  const body = await readBody(req, 'application/json', limit);
  try {
    return JSON.parse(body);
  } catch {
    throw new HttpError(400, 'bad_json', 'The body is not JSON.');
  }
}

export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readBody(req, 'application/x-www-form-urlencoded', 64 * 1024));
}

/** Reads a form that only the stand-in's own page may send; other ports count as foreign. @throws HttpError 403. */
export async function readOwnForm(req: IncomingMessage): Promise<URLSearchParams> {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new HttpError(403, 'foreign_page', 'The choice is made on the page of the stand-in.');
  return await readForm(req);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function uriDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Refuses host names rebound to 127.0.0.1 (DNS rebinding) and pages of other sites. */
function checkCaller(req: IncomingMessage): void {
  if (!isLoopbackHost(req.headers.host ?? ''))
    throw new HttpError(403, 'not_loopback', 'The stand-ins answer loopback host names only.');
  const origin = req.headers.origin;
  if (origin && origin !== 'null' && !isLoopbackHost(URL.parse(origin)?.host ?? ''))
    throw new HttpError(403, 'foreign_origin', 'The stand-ins answer pages of this machine only.');
}

export class Router {
  readonly #routes: { method: string; pattern: RegExp; handler: Handler }[] = [];

  /** Adds a route; `path` may contain :names, each for one path segment. The first match wins. */
  on(method: 'GET' | 'POST' | 'DELETE', path: string, handler: Handler): void {
    const source = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)');
    this.#routes.push({ method, pattern: new RegExp(`^${source}$`), handler });
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    checkCaller(req);
    const url = URL.parse(req.url ?? '/', 'http://localhost');
    if (!url) throw new HttpError(400, 'bad_path', 'The path cannot be read.');
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const matching = this.#routes.filter(({ pattern }) => pattern.test(url.pathname));
    if (matching.length === 0) throw new HttpError(404, 'not_found', 'No stand-in serves this path.');
    const route = matching.find((candidate) => candidate.method === method);
    if (!route)
      throw new HttpError(
        405,
        'method_not_allowed',
        `Use ${matching.map((each) => each.method).join(' or ')} here.`,
      );
    const names = Object.entries(route.pattern.exec(url.pathname)?.groups ?? {});
    const params = Object.fromEntries(names.map(([name, value]) => [name, uriDecoded(value)]));
    await route.handler({ req, res, url, params });
  }

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await this.#answer(req, res);
    } catch (error) {
      const httpError = error instanceof HttpError ? error : null;
      if (!httpError) process.stderr.write(`stand-ins: ${req.method} ${req.url}: ${String(error)}\n`);
      const message = httpError?.message ?? 'The stand-in failed; see its log.';
      if (res.headersSent || res.destroyed) res.destroy();
      else sendJson(res, httpError?.status ?? 500, { error: message, code: httpError?.kind ?? 'internal' });
    }
  }
}
