import { useState } from 'react';
import { flushSync } from 'react-dom';
import { toast } from '#client/page-events.ts';
import { errorText } from './settings-api.ts';

export function restoreFocus(id: string): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) document.getElementById(id)?.focus();
}

interface SettingsMutation {
  which: string;
  work: () => Promise<unknown>;
  apply: () => void;
  done: string;
}

/** One change at a time. `focusTo`: id that focus falls to when the control goes away. */
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

/** Changed here until the page is read anew. */
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
