import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { toast } from '../../../client/page-events.ts';
import { request } from '../../../client/request.ts';
import type { WorkFeature, WorkRow, WorkView } from '../contract.ts';
import { fetchWorks } from './api.ts';

/** Milliseconds between two looks at a list in which something is written. */
const LOOK_MS = 3_000;

export interface WorkPage {
  works: WorkRow[];
  next: string | null;
}

/** What is said of a work in which nothing is written any more; null for one that its owner stopped. */
function ending({ title, version, versions, proposal }: WorkView): string | null {
  if (proposal) return `A suggestion for “${title}” is ready`;
  const { state } = versions[0] ?? version;
  if (state === 'failed' || state === 'interrupted') return `“${title}” could not be written`;
  return state === 'done' ? `“${title}” is ready` : null;
}

interface Watching {
  feature: WorkFeature;
  /** What the list is searched for. */
  query: string;
  page: WorkPage;
  setPage: Dispatch<SetStateAction<WorkPage>>;
  /** The work that the page shows, which tells of its end itself. */
  current: string | null;
}

/** Keeps a list true while something in it is being written, and tells of what has come to its end meanwhile. */
export function useRunningWorks({ feature, query, page, setPage, current }: Watching): void {
  const navigate = useNavigate();
  const running = useRef(new Set<string>());
  const shown = useRef(current);
  shown.current = current;

  useEffect(() => {
    const tell = async (id: string) => {
      const work = await request<WorkView>(`/api/works/${id}`);
      const text = ending(work);
      const open = { label: 'Open', run: () => void navigate(`/tools/${work.feature}/${id}`) };
      if (text && id !== shown.current) toast({ text, kind: 'info', action: open });
    };
    for (const { id, running: runs } of page.works) {
      if (runs) running.current.add(id);
      // One that is gone, or cannot be asked for, has nothing to be told of.
      else if (running.current.delete(id) && id !== shown.current) tell(id).catch(() => undefined);
    }
  }, [page, navigate]);

  const runs = page.works.some((row) => row.running);
  useEffect(() => {
    if (!runs) return;
    const asking = new AbortController();
    const look = async () => {
      const found = await fetchWorks(feature, { q: query, signal: asking.signal }).catch(() => null);
      if (asking.signal.aborted) return;
      const now = new Map(found?.works.map((row) => [row.id, row]));
      if (found) setPage((was) => ({ ...was, works: was.works.map((row) => now.get(row.id) ?? row) }));
      timer = setTimeout(look, LOOK_MS);
    };
    let timer = setTimeout(look, LOOK_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [runs, feature, query, setPage]);
}
