import { useEffect, useRef } from 'react';
import { removedDraft } from '../state/kept-text.ts';

/** Tells when another tab has sent, or emptied, the draft of this place; `gone` is told the text that it had. */
export function useOtherTabs(place: string | null, gone: (text: string) => void) {
  const told = useRef(gone);
  told.current = gone;
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const before = removedDraft(event, place);
      if (before !== null) told.current(before);
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [place]);
}
