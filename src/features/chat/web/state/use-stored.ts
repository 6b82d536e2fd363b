import { useEffect, useState } from 'react';
import { tellFailure } from './offer-undo.ts';

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
    let left = false;
    fetch(id).then(
      (found) => left || setStored(found),
      (error: unknown) => {
        if (left) return;
        tellFailure(error);
        onMissing();
      },
    );
    return () => {
      left = true;
    };
  }, [id, fetch, onMissing]);
  return stored;
}
