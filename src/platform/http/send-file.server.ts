import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { log } from '../log.server.ts';
import type { AppEnv } from './app-env.server.ts';
import { requireUser } from './request-context.server.ts';

const IDLE_MS = 60_000;

const isDisconnect = (error: unknown): boolean =>
  /^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|EPIPE)$/.test((error as { code?: string } | null)?.code ?? '');

export function sendFile(c: Context<AppEnv>, headers: Record<string, string>, stream: Readable): Response {
  const actor = requireUser(c);
  const response = c.env.outgoing;
  // If the client has already disconnected, no `close` event follows that would end the stream.
  if (c.req.method === 'HEAD' || !response.socket || response.destroyed) {
    stream.destroy();
    return c.body(null, 200, headers);
  }
  response.writeHead(200, headers);
  const disconnect = () => response.destroy();
  const unwatch = c.var.whileSessionLives(actor.sessionId, disconnect);
  response.setTimeout(IDLE_MS, disconnect);
  pipeline(stream, response)
    .catch((error: unknown) => {
      const details = { error, userId: actor.userId, requestId: c.var.requestId };
      if (isDisconnect(error)) log.debug(details, 'a file was not read to its end');
      else log.warn(details, 'a file could not be sent completely');
    })
    .finally(unwatch);
  return RESPONSE_ALREADY_SENT;
}
