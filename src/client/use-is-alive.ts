import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the server's markup until this part of the page answers presses: code that loads later answers later than the page. */
export const useIsAlive = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
