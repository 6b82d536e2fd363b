import { type MouseEvent, useRef, useState } from 'react';

/** Selects up to `max` of the rows with these ids. Shift extends the selection from the row pressed before. */
export function useRowSelection(ids: string[], max: number) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  // Rows that have left the list are no longer selected.
  const selected = ids.filter((id) => chosen.has(id));
  const full = selected.length >= max;
  const set = (rowIds: string[], isOn: boolean) => {
    const next = new Set(selected);
    for (const id of rowIds) {
      if (!isOn) next.delete(id);
      else if (next.size < max) next.add(id);
    }
    setChosen(next);
  };
  const toggle = (id: string, { shiftKey }: MouseEvent) => {
    const isOn = !chosen.has(id);
    const [start, end] = [anchor.current ?? id, id].map((each) => ids.indexOf(each));
    anchor.current = id;
    if (!shiftKey || start === undefined || end === undefined || start < 0) return set([id], isOn);
    set(ids.slice(Math.min(start, end), Math.max(start, end) + 1), isOn);
  };
  const toggleAll = () => (selected.length > 0 ? set(selected, false) : set(ids, true));
  return { selected, full, toggle, toggleAll };
}
