import { useState } from 'react';

/** State that begins anew with what the page's loader answers anew. */
export function useLoadedState<T>(loaded: T) {
  const [seen, setSeen] = useState(loaded);
  const [state, setState] = useState(loaded);
  if (seen !== loaded) {
    setSeen(loaded);
    setState(loaded);
  }
  return [state, setState] as const;
}
