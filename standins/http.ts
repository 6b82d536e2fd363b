/** A tiny router for the stand-ins: loopback guard, paths with :names, JSON in and out. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Call {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  /** The :names of the path, decoded. */
  params: Record<string, string>;
}

export type Handler = (call: Call) => void | Promise<void>;

interface Route {
  method: string;
  pattern: RegExp;
  handler: Handler;
}

/** An answer that a handler gives by throwing; `kind` is a short code such as not_found. */
export class HttpError extends Error {
  readonly status: number;
  readonly kind: string;
  constructor(status: number, kind: string, message: string) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/** True for localhost, 127.x.x.x and [::1], each with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)(?::\d{1,5})?$/i.test(host.trim());
}

/** This server as http://127.0.0.1:PORT, whatever name it was called by. */
export function baseOf(req: IncomingMessage): string {
  return `http://127.0.0.1:${req.socket.localPort}`;
}

/** A choice is made on our page: no other one, of whatever port, makes it for a person. Throws HttpError 403. */
export function onOwnPage(req: IncomingMessage): void {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new HttpError(403, 'foreign_page', 'The choice is made on the page of the stand-in.');
}

/** Writes `value` as JSON with `status`. */
export function sendJson(
  res: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  res.end(body);
}

/** Reads the whole body. Throws HttpError 413 above `limit` bytes. */
async function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) throw new HttpError(413, 'too_large', `The body is over ${limit} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reads a JSON body. Throws HttpError 415 for another content type, 413 above `limit` bytes, 400 for bad JSON. */
export async function readJson(req: IncomingMessage, limit = 1 << 20): Promise<unknown> {
  const type = req.headers['content-type'] ?? '';
  if (!/^application\/json\b/i.test(type))
    throw new HttpError(415, 'unsupported_type', 'Send application/json.');
  const body = await readBody(req, limit);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpError(400, 'bad_json', 'The body is not JSON.');
  }
}

/** Reads a form body. Throws HttpError 415 for another content type, 413 above `limit` bytes. */
export async function readForm(req: IncomingMessage, limit = 64 * 1024): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new HttpError(415, 'unsupported_type', 'Send application/x-www-form-urlencoded.');
  return new URLSearchParams((await readBody(req, limit)).toString('utf8'));
}

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compile(path: string): RegExp {
  const source = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Who may ask: only a request whose Host is loopback (a name that was rebound to 127.0.0.1 is not), and no page
 * of another site.
 */
function guard(req: IncomingMessage): void {
  if (!isLoopbackHost(req.headers.host ?? ''))
    throw new HttpError(403, 'not_loopback', 'The stand-ins answer loopback host names only.');
  const origin = req.headers.origin;
  if (origin && origin !== 'null' && !isLoopbackHost(URL.parse(origin)?.host ?? ''))
    throw new HttpError(403, 'foreign_origin', 'The stand-ins answer pages of this machine only.');
}

export class Router {
  readonly #routes: Route[] = [];

  /** Adds a route; `path` may hold :names, each one path segment. The first match wins. */
  on(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, handler: Handler): void {
    this.#routes.push({ method, pattern: compile(path), handler });
  }

  #find(method: string, path: string): { handler: Handler; params: Record<string, string> } {
    const allowed: string[] = [];
    for (const route of this.#routes) {
      const match = route.pattern.exec(path);
      if (!match) continue;
      if (route.method !== method && !(method === 'HEAD' && route.method === 'GET')) {
        allowed.push(route.method);
        continue;
      }
      const params = Object.fromEntries(
        Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)]),
      );
      return { handler: route.handler, params };
    }
    if (allowed.length > 0)
      throw new HttpError(405, 'method_not_allowed', `Use ${allowed.join(' or ')} here.`);
    throw new HttpError(404, 'not_found', 'No stand-in serves this path.');
  }

  /** Answers one request; never rejects. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      guard(req);
      const url = URL.parse(req.url ?? '/', 'http://localhost');
      if (!url) throw new HttpError(400, 'bad_path', 'The path cannot be read.');
      const { handler, params } = this.#find(req.method ?? 'GET', url.pathname);
      await handler({ req, res, url, params });
    } catch (error) {
      const known = error instanceof HttpError;
      if (!known) process.stderr.write(`stand-ins: ${req.method} ${req.url}: ${String(error)}\n`);
      if (res.headersSent || res.destroyed) res.destroy();
      else
        sendJson(res, known ? error.status : 500, {
          error: known ? error.message : 'The stand-in failed; see its log.',
          code: known ? error.kind : 'internal',
        });
    }
  }
}
