import { useEffect, useRef, useState } from 'react';
import type { Held } from './files/held-files.ts';

interface Awaited {
  /** Of the file that is attached. */
  phase: Held['phase'] | undefined;
  place: string | null;
  busy: boolean;
  submit: () => void;
}

/**
 * Whether a message waits for its file. It is sent as soon as the server has the file; a failure, another chat or a
 * reply that begins meanwhile end the wait.
 */
export function useSendWhenReady({ phase, place, busy, submit }: Awaited) {
  const [waiting, setWaiting] = useState(false);
  const from = useRef(place);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what happens to the file ends the wait
  useEffect(() => {
    const here = from.current === place && !busy;
    from.current = place;
    if (!waiting || (here && phase === 'sending')) return;
    setWaiting(false);
    if (here && phase === 'stored') submit();
  }, [waiting, phase, place, busy]);
  return { waiting, setWaiting };
}
