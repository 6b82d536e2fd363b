import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the server's markup until this part is hydrated. Lazily loaded code hydrates later than the page. */
export const useIsHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
