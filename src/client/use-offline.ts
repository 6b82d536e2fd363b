import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Milliseconds between checks whether an unreachable server responds again. */
const CHECK_INTERVAL_MS = 5_000;

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
  const onBackRef = useRef(onBack);
  onBackRef.current = onBack;
  const wasOffline = useRef(false);
  useEffect(() => {
    if (!online) wasOffline.current = true;
    if (!failed || !online) return;
    const ended = new AbortController();
    const check = () => {
      if (document.visibilityState !== 'visible') return;
      fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: ended.signal }).then(
        (response) => (response.ok ? onBackRef.current() : undefined),
        () => undefined,
      );
    };
    if (wasOffline.current) check();
    wasOffline.current = false;
    const timer = setInterval(check, CHECK_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [failed, online]);
  if (!online) return 'browser';
  return failed ? 'server' : null;
}
