import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { AppEnv } from './app-env.server.ts';
import { compress, encodingFor } from './compress.server.ts';
import { matchesEtag } from './etag.server.ts';

export async function staticText(c: Context<AppEnv>, type: string, text: string): Promise<Response> {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const headers: Record<string, string> = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
  };
  if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
  const encoding = encodingFor(c.req.header('accept-encoding'));
  const body = await compress(text, encoding, 3);
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return c.body(new Uint8Array(body), 200, { ...headers, 'content-type': `${type}; charset=utf-8` });
}
