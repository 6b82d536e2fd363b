import { useCallback, useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { notifyAccountChanged } from '#client/page-events.ts';
import type { Me } from '#features/accounts/contract.ts';

/**
 * The person as a page knows them: what its loader answered, with the balance that runs have told of since. The page is
 * loaded anew by a sign-in or a sign-out.
 * @returns the person (null: a guest), and what to call with the balance of a started or an ended run; null or
 * undefined tell nothing.
 */
export function useCurrentUser(loaded: Me | null): [Me | null, (credits: number | null | undefined) => void] {
  const { revalidate } = useRevalidator();
  const [told, setTold] = useState<{ of: Me | null; credits: number } | null>(null);
  useEffect(() => {
    const again = () => void revalidate();
    document.addEventListener('auth:changed', again);
    return () => document.removeEventListener('auth:changed', again);
  }, [revalidate]);
  const setCredits = useCallback(
    (credits: number | null | undefined) => {
      if (typeof credits !== 'number') return;
      setTold({ of: loaded, credits });
      notifyAccountChanged({ credits });
    },
    [loaded],
  );
  // What was told before the page was loaded anew is older than what it answered.
  const me = loaded && told?.of === loaded ? { ...loaded, credits: told.credits } : loaded;
  return [me, setCredits];
}
