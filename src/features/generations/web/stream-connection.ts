/** What the stream client needs of its surroundings; tests give their own. */
export interface Connection {
  fetch: typeof fetch;
  base: string;
  /** Waits before attempt `attempt` (from 0). Rejects when aborted. */
  pause(attempt: number, signal: AbortSignal): Promise<void>;
  /** Waits after the server has closed this stream for a newer one of the same person, for the `nth` time (from 0). */
  afterEviction(nth: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds without a byte after which a connection counts as dead. */
  silence: number;
}

/** Delay before the given attempt: 250 ms doubling to 5 s, less up to a quarter so that readers do not come at once. */
export const backoff = (attempt: number, random: number) =>
  Math.min(5_000, 250 * 2 ** Math.min(attempt, 10)) * (1 - random / 4);

/** The same after an eviction, 1 s doubling to 30 s: pages that are all looked at take turns calmly. */
export const evictionDelay = (nth: number) => Math.min(30_000, 1_000 * 2 ** Math.min(nth, 10));

function until(target: EventTarget, event: string, ready: () => boolean, signal: AbortSignal): Promise<void> {
  if (ready()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      target.removeEventListener(event, look);
      signal.removeEventListener('abort', fail);
    };
    const look = () => {
      if (!ready()) return;
      stop();
      resolve();
    };
    const fail = () => {
      stop();
      reject(signal.reason);
    };
    target.addEventListener(event, look);
    signal.addEventListener('abort', fail);
  });
}

/** Sleeps, but wakes at once when the network comes back. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      window.removeEventListener('online', wake);
      signal.removeEventListener('abort', fail);
    };
    const wake = () => {
      stop();
      resolve();
    };
    const fail = () => {
      stop();
      reject(signal.reason);
    };
    const timer = setTimeout(wake, ms);
    window.addEventListener('online', wake);
    signal.addEventListener('abort', fail);
  });
}

const untilVisible = (signal: AbortSignal) =>
  until(document, 'visibilitychange', () => document.visibilityState === 'visible', signal);

/**
 * The page's own connection. An attempt waits for its backoff, then for the network and for the page to be seen: a
 * hidden page has no reader, and the reply belongs to the server meanwhile.
 */
export const pageConnection = (): Connection => ({
  fetch: (input, init) => fetch(input, init),
  base: '',
  silence: 30_000,
  async pause(attempt, signal) {
    signal.throwIfAborted();
    await sleep(backoff(attempt, Math.random()), signal);
    await until(window, 'online', () => navigator.onLine, signal);
    await untilVisible(signal);
  },
  async afterEviction(nth, signal) {
    signal.throwIfAborted();
    await sleep(evictionDelay(nth), signal);
    await untilVisible(signal);
  },
});
