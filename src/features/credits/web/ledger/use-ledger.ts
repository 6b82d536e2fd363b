import { useEffect, useRef, useState } from 'react';
import { request } from '#client/api-request.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import type { LedgerFilter, LedgerPage } from '../../ledger/ledger-contract.ts';

const none: LedgerFilter = { entry: null, tool: null };
export function queryOf({ entry, tool }: LedgerFilter, before: number | null = null): string {
  const query = new URLSearchParams();
  if (entry) query.set('entry', entry);
  if (tool) query.set('tool', tool);
  if (before) query.set('before', String(before));
  return query.size > 0 ? `?${query}` : '';
}

const textOf = (error: unknown) => (error instanceof ProblemError ? error.message : m.ledger_failed());

export function useLedger(first: LedgerPage | null) {
  const [seen, setSeen] = useState(first);
  const [filter, setFilter] = useState(none);
  const [page, setPage] = useState(first);
  const [busy, setBusy] = useState<'filter' | 'more' | null>(null);
  const [error, setError] = useState<string | null>(first ? null : m.ledger_failed());
  const [said, setSaid] = useState('');
  const asked = useRef<AbortController>(undefined);
  if (seen !== first) {
    setSeen(first);
    if (first && filter === none) setPage(first);
  }
  useEffect(() => () => asked.current?.abort(), []);

  async function load(wanted: LedgerFilter, before: number | null): Promise<void> {
    asked.current?.abort();
    const mine = new AbortController();
    asked.current = mine;
    setBusy(before ? 'more' : 'filter');
    setError(null);
    try {
      const path = `/api/me/ledger${queryOf(wanted, before)}`;
      const next = await request<LedgerPage>(path, { signal: mine.signal });
      setPage((was) => (before && was ? { ...next, entries: [...was.entries, ...next.entries] } : next));
      const count = next.entries.length;
      setSaid(before ? m.ledger_loaded_more({ count }) : m.ledger_loaded({ count }));
    } catch (failure) {
      if (mine.signal.aborted) return;
      setError(textOf(failure));
    }
    setBusy(null);
  }

  return {
    filter,
    page,
    busy,
    error,
    said,
    choose(changed: Partial<LedgerFilter>) {
      const wanted = { ...filter, ...changed };
      setFilter(wanted);
      void load(wanted, null);
    },
    more: () => {
      if (page?.next && !busy) void load(filter, page.next);
    },
    retry: () => void load(filter, null),
  };
}
