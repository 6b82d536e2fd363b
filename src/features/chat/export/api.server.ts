import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { contentDisposition } from '../../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { whileSessionLives } from '../../accounts/sessions/watch/service.server.ts';
import { downloadChat } from './service.server.ts';

/** A reader that takes nothing for this long is cut. */
const IDLE_MS = 60_000;

async function send(
  actor: UserActor,
  parts: AsyncIterable<string>,
  response: AppEnv['Bindings']['outgoing'],
): Promise<void> {
  const cut = () => response.destroy();
  const unwatch = whileSessionLives(actor.sessionId, cut);
  response.setTimeout(IDLE_MS, cut);
  try {
    await pipeline(Readable.from(parts), response);
  } catch (error) {
    log.warn({ error, userId: actor.userId }, 'a download of a chat was not finished');
  } finally {
    unwatch();
  }
}

/** `GET /api/chats/:id/export?format=md|json`. */
export function chatExportApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/api/chats/:id/export', async (c) => {
    const { actor } = c.var;
    if (actor.kind !== 'user') throw signInFirst();
    const input = { id: c.req.param('id'), format: c.req.query('format') ?? 'md' };
    const { name, type, parts } = await downloadChat({ actor, input });
    const headers = { 'content-type': type, 'content-disposition': contentDisposition('attachment', name) };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    const response = c.env.outgoing;
    // For a client that has left no `close` comes any more.
    if (response.socket && !response.destroyed) {
      response.writeHead(200, { ...headers, 'cache-control': 'private, no-store' });
      void send(actor, parts, response);
    } else response.destroy();
    return RESPONSE_ALREADY_SENT;
  });
}
