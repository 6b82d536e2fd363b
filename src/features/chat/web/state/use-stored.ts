import { useEffect, useState } from 'react';
import { reportFailure } from './offer-undo.ts';

interface Source<T> {
  fetch: (id: string) => Promise<T>;
  /** The value of a new one. */
  blank: T;
  onMissing: () => void;
}

/** Returns the stored value for a form; null until it is loaded. A null id means a new one. */
export function useStored<T>(id: string | null, { fetch, blank, onMissing }: Source<T>): T | null {
  const [stored, setStored] = useState<T | null>(id === null ? blank : null);
  useEffect(() => {
    if (id === null) return;
    let cancelled = false;
    fetch(id).then(
      (found) => cancelled || setStored(found),
      (error: unknown) => {
        if (cancelled) return;
        reportFailure(error);
        onMissing();
      },
    );
    return () => {
      cancelled = true;
    };
  }, [id, fetch, onMissing]);
  return stored;
}
