import type { Context } from 'hono';
import type { z } from 'zod/mini';
import { m } from '#messages';
import type { AppEnv } from './app-env.server.ts';
import { Problem } from './problem.server.ts';

const JSON_BYTES = 256 * 1024;
const MAX_DEPTH = 32;

/** A body cannot be longer than its Content-Length, so one that fits is read whole, without streaming. */
const fits = ({ headers }: Request, maxBytes: number) =>
  Number(headers.get('content-length') ?? Number.NaN) <= maxBytes;

export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    if (fits(request, maxBytes)) return Buffer.from(await request.arrayBuffer());
    if (!request.body) return Buffer.alloc(0);
    for await (const part of request.body) {
      size += part.byteLength;
      if (size > maxBytes) throw new Problem('too_large', m.request_too_large());
      parts.push(part);
    }
  } catch (error) {
    // The client has disconnected; its ECONNRESET must not be mistaken for one from the database.
    throw error instanceof Problem ? error : new Problem('bad_request', m.request_cut_off());
  }
  return Buffer.concat(parts);
}

function tooDeep(value: unknown, remaining: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (remaining === 0) return true;
  return Object.values(value).some((inner) => tooDeep(inner, remaining - 1));
}

function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString && char === '\\') at++;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

function parse(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    // JSON.parse is recursive, so text that nests too deeply is rejected before it runs.
    if (nestsDeeper(text, 200)) throw new SyntaxError('depth');
    return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
  } catch {
    throw new Problem('bad_request', m.request_invalid_json());
  }
}

export async function readJson<T extends z.ZodMiniType>(
  c: Context<AppEnv>,
  schema: T,
  maxBytes = JSON_BYTES,
): Promise<z.output<T>> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Problem('unsupported_type', m.request_not_json());
  const body = parse(await readBytes(c.req.raw, maxBytes));
  if (tooDeep(body, MAX_DEPTH)) throw new Problem('bad_request', m.request_too_deep());
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.');
  throw new Problem('bad_request', field ? m.request_field({ field }) : m.request_invalid());
}
