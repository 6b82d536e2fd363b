import { request } from '#client/api-request.ts';
import type { CreditsView } from '../../contract.ts';
import type { LedgerFilter, LedgerPage } from '../../ledger/ledger-contract.ts';

export function queryOf({ entry, tool }: LedgerFilter, before: number | null = null): string {
  const query = new URLSearchParams();
  if (entry) query.set('entry', entry);
  if (tool) query.set('tool', tool);
  if (before) query.set('before', String(before));
  return query.size > 0 ? `?${query}` : '';
}

export const fetchCredits = (signal?: AbortSignal) => request<CreditsView>('/api/credits', { signal });
export const fetchLedger = (filter: LedgerFilter, before: number | null, signal?: AbortSignal) =>
  request<LedgerPage>(`/api/me/ledger${queryOf(filter, before)}`, { signal });
