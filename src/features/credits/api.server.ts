import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { m } from '#messages';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { sendFile } from '#platform/http/send-file.server.ts';
import { ledger, ledgerTable, usage } from './ledger/ledger.server.ts';
import {
  countedFeatures,
  type EntryGroup,
  entryGroups,
  type LedgerFilter,
} from './ledger/ledger-contract.ts';
import { readCredits } from './service.server.ts';

const LIMIT = { max: 30, seconds: 3600 };
const isGroup = (text: string | undefined): text is EntryGroup =>
  text !== undefined && Object.hasOwn(entryGroups, text);

function readFilter(c: Context<AppEnv>): LedgerFilter {
  const { entry, tool } = c.req.query();
  return {
    entry: isGroup(entry) ? entry : null,
    tool: countedFeatures.find((feature) => feature === tool) ?? null,
  };
}

export function creditsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/credits', async (c) => c.json(await readCredits({ actor: requireUser(c) })))
    .get('/api/me/ledger', async (c) => {
      const actor = requireUser(c);
      const number = Number(c.req.query('before'));
      const before = Number.isSafeInteger(number) && number > 0 ? number : null;
      return c.json(await ledger({ actor, input: { ...readFilter(c), before } }));
    })
    .get('/api/me/ledger.csv', async (c) => {
      const actor = requireUser(c);
      const name = `credits-${new Date().toISOString().slice(0, 10)}.csv`;
      const headers = downloadHeaders(name, 'text/csv; charset=utf-8');
      if (c.req.method === 'HEAD') return c.body(null, 200, headers);
      await enforceLimit(`ledger-csv:${actor.userId}`, LIMIT, m.ledger_limit());
      return sendFile(c, headers, Readable.from(ledgerTable({ actor, input: readFilter(c) })));
    })
    .get('/api/me/usage', async (c) => c.json(await usage({ actor: requireUser(c) })));
}
