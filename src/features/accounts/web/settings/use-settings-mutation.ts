import { useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '#client/page-events.ts';
import { errorText } from './settings-api.ts';

/** Focus whose control went away with a change goes on at `id`; one that is elsewhere stays. */
export function restoreFocus(id: string): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) document.getElementById(id)?.focus();
}

interface SettingsMutation {
  /** What is changed, for `busy`. */
  which: string;
  work: () => Promise<unknown>;
  /** Shows the change; the control that began it may go away. */
  apply: () => void;
  done: string;
}

/** Changes of a section, one at a time: which is being made, and what went wrong. `focusTo` is the id that focus falls to. */
export function useSettingsMutation(focusTo: string) {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  async function change({ which, work, apply, done }: SettingsMutation): Promise<void> {
    if (busy) return;
    setBusy(which);
    setError(null);
    try {
      await work();
      flushSync(apply);
      restoreFocus(focusTo);
      toast({ text: done, kind: 'success' });
    } catch (failure) {
      setError(errorText(failure));
    }
    setBusy(null);
  }

  return { busy, error, change };
}

/** A list as it is changed here, until the page is read anew. */
export function useLocalList<Row>(first: Row[]) {
  const [rows, setRows] = useState(first);
  const [seen, setSeen] = useState(first);
  if (seen !== first) {
    setSeen(first);
    setRows(first);
  }
  return {
    rows,
    without: (gone: (row: Row) => boolean) => setRows((now) => now.filter((row) => !gone(row))),
  };
}
