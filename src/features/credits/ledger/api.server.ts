import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { contentDisposition } from '../../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { sendFile } from '../../accounts/sessions/sending/service.server.ts';
import { countedFeatures, type EntryGroup, entryGroups, type LedgerFilter } from './contract.ts';
import { ledger, ledgerTable, usage } from './service.server.ts';

const LIMIT = { max: 30, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded the ledger many times. Please wait a while.';
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
        'cache-control': 'private, no-store',
      };
      if (c.req.method === 'HEAD') return c.body(null, 200, headers);
      await enforceLimit(`ledger-csv:${actor.userId}`, LIMIT, LIMIT_TEXT);
      return sendFile(c, actor, headers, Readable.from(ledgerTable({ actor, input: filterOf(c) })));
    })
    .get('/api/me/usage', async (c) => c.json(await usage({ actor: userOf(c) })));
}
