import { useCallback, useState } from 'react';
import { notifyAccountChanged } from '#client/page-events.ts';
import { useReloadOnAuth } from '#client/use-reload-on-auth.ts';
import type { Me } from '#features/accounts/contract.ts';

/**
 * What the page's loader answered, with the balance that runs have told of since. @returns the person, and the setter
 * for the balance of a run.
 */
export function useCurrentUser(loaded: Me | null): [Me | null, (credits: number | null | undefined) => void] {
  useReloadOnAuth();
  const [told, setTold] = useState<{ of: Me | null; credits: number } | null>(null);
  const setCredits = useCallback(
    (credits: number | null | undefined) => {
      if (typeof credits !== 'number') return;
      setTold({ of: loaded, credits });
      notifyAccountChanged({ credits });
    },
    [loaded],
  );
  // A balance that was told before a reload is older than what the loader answered.
  const me = loaded && told?.of === loaded ? { ...loaded, credits: told.credits } : loaded;
  return [me, setCredits];
}
