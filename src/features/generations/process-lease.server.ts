import { setTimeout as delay } from 'node:timers/promises';
import { transaction } from '#platform/database/database.server.ts';
import { processName } from './process-name.server.ts';
import { LEASE_MS } from './run-log.server.ts';
import { claimLease, type LeaseRow, type SiteSettings } from './store.server.ts';

const POLL_MS = 250;

function findRenewed(others: LeaseRow[], seen: Map<string, number>): LeaseRow | undefined {
  const found = others.find(({ owner: id, until }) => until > (seen.get(id) ?? until));
  for (const { owner: id, until } of others) if (!seen.has(id)) seen.set(id, until);
  return found;
}

/**
 * Waits until the lease of a process that has just been killed lapses, so that a crash does not block a new setting.
 * @returns the setting that differs from a live process's, or null.
 */
export async function claimProcessLease(own: SiteSettings): Promise<'AUTH_SECRET' | 'DATA_DIR' | null> {
  const seen = new Map<string, number>();
  for (;;) {
    const others = await transaction((tx) => claimLease(tx, { owner: processName, leaseMs: LEASE_MS, own }));
    if (others.length === 0) return null;
    const live = findRenewed(others, seen);
    if (live) return live.secretPrint === own.secretPrint ? 'DATA_DIR' : 'AUTH_SECRET';
    await delay(POLL_MS);
  }
}
