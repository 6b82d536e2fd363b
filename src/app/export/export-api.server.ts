import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { onSessionEnd } from '#features/accounts/service.server.ts';
import { m } from '#messages';
import { writeArchive } from '#platform/file-formats/zip-archive.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { log } from '#platform/log.server.ts';
import { setting } from '#shared/settings.ts';
import { slugOf } from '#shared/slug.ts';
import { archiveFiles } from './archive.server.ts';

const LIMIT = { max: 5, seconds: 3600 };
/** Maximum of concurrent downloads in this process; each keeps a few pages of rows in memory. */
const MAX_RUNNING = 20;
const IDLE_MS = 60_000;

const running = new Set<string>();

/** Claims a download slot. Refusals because of running downloads don't count for the rate limit. @throws Problem */
async function claimExport({ userId }: UserActor): Promise<void> {
  if (running.has(userId)) throw new Problem('conflict', m.export_running());
  if (running.size >= MAX_RUNNING) {
    throw new Problem('unavailable', m.export_busy(), { retryAfter: 60 });
  }
  running.add(userId);
  try {
    await enforceLimit(`export:${userId}`, LIMIT, m.export_limit());
  } catch (error) {
    running.delete(userId);
    throw error;
  }
}

/** Detects requests from other sites' links, which browsers send with the session cookie (W3C Fetch Metadata). */
const isCrossSite = (site: string | undefined) =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

function archiveHeaders(): Record<string, string> {
  const name = `${slugOf(setting('brand.name'), 'site')}-data-${new Date().toISOString().slice(0, 10)}.zip`;
  return downloadHeaders(name, 'application/zip');
}

/** Sends the archive of a user; it is cut off when the session `actor.sessionId` ends, which may be an operator's. */
export async function sendArchive(c: Context<AppEnv>, actor: UserActor): Promise<Response> {
  await claimExport(actor);
  const response = c.env.outgoing;
  // If the client has already disconnected, no `close` event follows.
  if (response.socket && !response.destroyed) {
    response.writeHead(200, archiveHeaders());
    void write(actor, response);
  } else {
    running.delete(actor.userId);
    response.destroy();
  }
  return RESPONSE_ALREADY_SENT;
}

async function write(actor: UserActor, response: ServerResponse): Promise<void> {
  const abort = () => response.destroy();
  const unwatch = onSessionEnd(actor.sessionId, abort);
  response.setTimeout(IDLE_MS, abort);
  try {
    await writeArchive(archiveFiles(actor), response);
  } catch (error) {
    log.warn({ error, userId: actor.userId }, 'a data export was not finished');
  } finally {
    running.delete(actor.userId);
    unwatch();
  }
}

export function exportApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/api/me/export', async (c) => {
    const actor = requireUser(c);
    if (isCrossSite(c.req.header('sec-fetch-site'))) throw new Problem('forbidden', m.request_foreign());
    if (c.req.method === 'HEAD') return c.body(null, 200, archiveHeaders());
    return sendArchive(c, actor);
  });
}
