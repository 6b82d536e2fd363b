import type { Database } from '../database/database.server.ts';
import { log } from '../log.server.ts';
import { countSiteLimit, type SiteLimitKind } from '../metrics/counters.server.ts';
import { hitRateLimit } from './rate-limit.server.ts';

/**
 * Limits the whole site without punishing everyone for the traffic of a few: above `busy` requests in a window, each
 * network has `perNetwork` more before it must wait; only above four times `busy` does everyone wait.
 */
export interface SiteLimit {
  busy: number;
  perNetwork: number;
  seconds: number;
}

/** `known` people are counted too, so that response times do not reveal them, but they never wait. */
export interface SiteVisitor {
  network: string;
  known?: boolean;
}

/** Epoch milliseconds until which this process does not log a kind again. */
const loggedUntil = new Map<string, number>();

function logOutcome(kind: SiteLimitKind, { busy, seconds }: SiteLimit, outcome: 'passed' | 'waits'): void {
  countSiteLimit(kind, outcome);
  if (Date.now() < (loggedUntil.get(kind) ?? 0)) return;
  loggedUntil.set(kind, Date.now() + seconds * 1000);
  log.warn(
    { kind, busy, seconds },
    'the site gets more requests than usual; networks that send many have to wait',
  );
}

export async function checkSiteLimit(
  kind: SiteLimitKind,
  limit: SiteLimit,
  { network, known = false }: SiteVisitor,
  db?: Database,
): Promise<number | null> {
  const { busy, perNetwork, seconds } = limit;
  const count = (subject: string, max: number) =>
    hitRateLimit(`${kind}:${seconds}:${subject}`, { max, seconds }, db);
  if ((await count('all', busy)).allowed) return null;
  let waitSeconds: number | null = null;
  if (!known) {
    const networkHit = await count(`busy:${network}`, perNetwork);
    const hit = networkHit.allowed ? await count('most', 3 * busy) : networkHit;
    waitSeconds = hit.allowed ? null : hit.retryAfter;
  }
  logOutcome(kind, limit, waitSeconds === null ? 'passed' : 'waits');
  return waitSeconds;
}
