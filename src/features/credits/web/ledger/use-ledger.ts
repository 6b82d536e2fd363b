import { useEffect, useRef, useState } from 'react';
import { request } from '#client/api-request.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import type { LedgerFilter, LedgerPage } from '../../ledger/ledger-contract.ts';

const noFilter: LedgerFilter = { entry: null, tool: null };
export function queryOf({ entry, tool }: LedgerFilter, before: number | null = null): string {
  const query = new URLSearchParams();
  if (entry) query.set('entry', entry);
  if (tool) query.set('tool', tool);
  if (before) query.set('before', String(before));
  return query.size > 0 ? `?${query}` : '';
}

const errorTextOf = (error: unknown) => (error instanceof ProblemError ? error.message : m.ledger_failed());

export function useLedger(first: LedgerPage | null) {
  const [seen, setSeen] = useState(first);
  const [filter, setFilter] = useState(noFilter);
  const [page, setPage] = useState(first);
  const [busy, setBusy] = useState<'filter' | 'more' | null>(null);
  const [error, setError] = useState<string | null>(first ? null : m.ledger_failed());
  const [announcement, setAnnouncement] = useState('');
  const pending = useRef<AbortController>(undefined);
  if (seen !== first) {
    setSeen(first);
    if (first && filter === noFilter) setPage(first);
  }
  useEffect(() => () => pending.current?.abort(), []);

  async function load(chosen: LedgerFilter, before: number | null): Promise<void> {
    pending.current?.abort();
    const controller = new AbortController();
    pending.current = controller;
    setBusy(before ? 'more' : 'filter');
    setError(null);
    try {
      const path = `/api/me/ledger${queryOf(chosen, before)}`;
      const next = await request<LedgerPage>(path, { signal: controller.signal });
      setPage((current) =>
        before && current ? { ...next, entries: [...current.entries, ...next.entries] } : next,
      );
      const count = next.entries.length;
      setAnnouncement(before ? m.ledger_loaded_more({ count }) : m.ledger_loaded({ count }));
    } catch (failure) {
      if (controller.signal.aborted) return;
      setError(errorTextOf(failure));
    }
    setBusy(null);
  }

  return {
    filter,
    page,
    busy,
    error,
    announcement,
    choose(changed: Partial<LedgerFilter>) {
      const chosen = { ...filter, ...changed };
      setFilter(chosen);
      void load(chosen, null);
    },
    more: () => {
      if (page?.next && !busy) void load(filter, page.next);
    },
    retry: () => void load(filter, null),
  };
}
