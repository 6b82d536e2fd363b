import { type MouseEvent, useRef, useState } from 'react';

/** Selects up to `most` of the rows with these ids. Shift extends the selection from the row pressed before. */
export function useRowSelection(ids: string[], most: number) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const from = useRef<string | null>(null);
  // Rows that have left the list are no longer selected.
  const selected = ids.filter((id) => chosen.has(id));
  const full = selected.length >= most;
  const set = (some: string[], on: boolean) => {
    const next = new Set(selected);
    for (const id of some) {
      if (!on) next.delete(id);
      else if (next.size < most) next.add(id);
    }
    setChosen(next);
  };
  const toggle = (id: string, { shiftKey }: MouseEvent) => {
    const on = !chosen.has(id);
    const [start, end] = [from.current ?? id, id].map((each) => ids.indexOf(each));
    from.current = id;
    if (!shiftKey || start === undefined || end === undefined || start < 0) return set([id], on);
    set(ids.slice(Math.min(start, end), Math.max(start, end) + 1), on);
  };
  const toggleAll = () => (selected.length > 0 ? set(selected, false) : set(ids, true));
  return { selected, full, toggle, toggleAll };
}
