import { useSyncExternalStore } from 'react';
import { dayOf } from './calendar.ts';

const never = () => () => undefined;

/** Calls at each midnight of the viewer, and when the page is looked at again: timers rest while a machine sleeps. */
function watchDay(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    const midnight = new Date();
    midnight.setHours(24, 0, 0, 0);
    timer = setTimeout(
      () => {
        changed();
        wait();
      },
      Math.max(1_000, midnight.getTime() - Date.now() + 100),
    );
  };
  wait();
  document.addEventListener('visibilitychange', changed);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', changed);
  };
}

/** UTC in the server's markup and until the page has come alive, then undefined: the viewer's own zone. */
export function useZone(): string | undefined {
  return useSyncExternalStore(
    never,
    () => undefined,
    () => 'UTC',
  );
}

/** The day that it is, as `dayOf` counts it: by the server's clock (`now`) in UTC first, then the viewer's. */
export function useToday(now: string): number {
  return useSyncExternalStore(
    watchDay,
    () => dayOf(new Date()),
    () => dayOf(new Date(now), 'UTC'),
  );
}
