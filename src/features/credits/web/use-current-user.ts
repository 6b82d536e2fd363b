import { useCallback, useState } from 'react';
import { notifyAccountChanged } from '#client/page-events.ts';
import { useReloadOnAuth } from '#client/use-reload-on-auth.ts';
import type { Me } from '#features/accounts/contract.ts';

/**
 * Returns the loader's person, with the balance that runs have reported since, and a setter for that balance.
 */
export function useCurrentUser(loaded: Me | null): [Me | null, (credits: number | null | undefined) => void] {
  useReloadOnAuth();
  const [reported, setReported] = useState<{ base: Me | null; credits: number } | null>(null);
  const setCredits = useCallback(
    (credits: number | null | undefined) => {
      if (typeof credits !== 'number') return;
      setReported({ base: loaded, credits });
      notifyAccountChanged({ credits });
    },
    [loaded],
  );
  // A balance that was reported before a reload is older than the loader's.
  const me = loaded && reported?.base === loaded ? { ...loaded, credits: reported.credits } : loaded;
  return [me, setCredits];
}
