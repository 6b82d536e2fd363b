import { useState } from 'react';

/** State that resets whenever the page's loader returns new data. */
export function useLoadedState<T>(loaded: T) {
  const [seen, setSeen] = useState(loaded);
  const [state, setState] = useState(loaded);
  if (seen !== loaded) {
    setSeen(loaded);
    setState(loaded);
  }
  return [state, setState] as const;
}
