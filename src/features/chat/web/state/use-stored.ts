import { useEffect, useState } from 'react';
import { tellFailure } from './offer-undo.ts';

interface Source<T> {
  fetch: (id: string) => Promise<T>;
  /** Of what is made new. */
  blank: T;
  onMissing: () => void;
}

/** What a form begins with, as it is stored; null until it is there. A null id makes a new one. */
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
