import { useState } from 'react';

/** State that resets whenever the page's loader returns new data. */
export function useLoadedState<T>(loaded: T) {
  const [previous, setPrevious] = useState(loaded);
  const [state, setState] = useState(loaded);
  if (previous !== loaded) {
    setPrevious(loaded);
    setState(loaded);
  }
  return [state, setState] as const;
}
