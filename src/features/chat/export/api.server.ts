import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { contentDisposition } from '../../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { sendFile } from '../../accounts/sessions/sending/service.server.ts';
import { downloadChat } from './service.server.ts';

/** `GET /api/chats/:id/export?format=md|json`. */
export function chatExportApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/api/chats/:id/export', async (c) => {
    const { actor } = c.var;
    if (actor.kind !== 'user') throw signInFirst();
    const input = { id: c.req.param('id'), format: c.req.query('format') ?? 'md' };
    const { name, type, parts } = await downloadChat({ actor, input });
    const headers = {
      'content-type': type,
      'content-disposition': contentDisposition('attachment', name),
      'cache-control': 'private, no-store',
    };
    return sendFile(c, actor, headers, Readable.from(parts));
  });
}
