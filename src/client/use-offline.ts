import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Milliseconds between checks whether an unreachable server responds again. */
const lookEvery = 5_000;

function watch(changed: () => void) {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/**
 * Whether the page is offline: the browser says so, or a request failed (`failed`). In that case it polls the server
 * until it responds.
 */
export function useOffline(failed: boolean, onBack: () => void): 'browser' | 'server' | null {
  const online = useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );
  const back = useRef(onBack);
  back.current = onBack;
  const away = useRef(false);
  useEffect(() => {
    if (!online) away.current = true;
    if (!failed || !online) return;
    const ended = new AbortController();
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: ended.signal }).then(
        (answer) => (answer.ok ? back.current() : undefined),
        () => undefined,
      );
    };
    if (away.current) look();
    away.current = false;
    const timer = setInterval(look, lookEvery);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [failed, online]);
  if (!online) return 'browser';
  return failed ? 'server' : null;
}
