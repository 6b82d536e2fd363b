import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { contentDisposition } from '../../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { whileSessionLives } from '../../accounts/sessions/watch/service.server.ts';
import { countedFeatures, type EntryGroup, entryGroups, type LedgerFilter } from './contract.ts';
import { ledger, ledgerTable, usage } from './service.server.ts';

const LIMIT = { max: 30, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded the ledger many times. Please wait a while.';
/** A reader that takes nothing for this long is cut. */
const IDLE_MS = 60_000;

const isGroup = (text: string | undefined): text is EntryGroup =>
  text !== undefined && Object.hasOwn(entryGroups, text);

/** What is unknown counts as absent. */
function filterOf(c: Context<AppEnv>): LedgerFilter {
  const { entry, tool } = c.req.query();
  return {
    entry: isGroup(entry) ? entry : null,
    tool: countedFeatures.find((feature) => feature === tool) ?? null,
  };
}

function userOf(c: Context<AppEnv>): UserActor {
  const { actor } = c.var;
  if (actor.kind !== 'user') throw signInFirst();
  return actor;
}

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
    log.warn({ error, userId: actor.userId }, 'a download of a ledger was not finished');
  } finally {
    unwatch();
  }
}

/** `GET /api/me/ledger?entry=&tool=&before=`, `GET /api/me/ledger.csv?entry=&tool=`, `GET /api/me/usage`. */
export function ledgerApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/me/ledger', async (c) => {
      const actor = userOf(c);
      const number = Number(c.req.query('before'));
      const before = Number.isSafeInteger(number) && number > 0 ? number : null;
      return c.json(await ledger({ actor, input: { ...filterOf(c), before } }));
    })
    .get('/api/me/ledger.csv', async (c) => {
      const actor = userOf(c);
      const name = `credits-${new Date().toISOString().slice(0, 10)}.csv`;
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': contentDisposition('attachment', name),
      };
      if (c.req.method === 'HEAD') return c.body(null, 200, headers);
      await enforceLimit(`ledger-csv:${actor.userId}`, LIMIT, LIMIT_TEXT);
      const response = c.env.outgoing;
      // For a client that has left no `close` comes any more.
      if (response.socket && !response.destroyed) {
        response.writeHead(200, { ...headers, 'cache-control': 'private, no-store' });
        void send(actor, ledgerTable({ actor, input: filterOf(c) }), response);
      } else response.destroy();
      return RESPONSE_ALREADY_SENT;
    })
    .get('/api/me/usage', async (c) => c.json(await usage({ actor: userOf(c) })));
}
