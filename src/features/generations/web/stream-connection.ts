/** Tests pass their own. */
export interface Connection {
  fetch: typeof fetch;
  base: string;
  /** `attempt` counts from 0. Rejects when aborted. */
  pause(attempt: number, signal: AbortSignal): Promise<void>;
  /** Waits after the server has closed a stream for a newer one, for the `nth` time (from 0). */
  afterEviction(nth: number, signal: AbortSignal): Promise<void>;
  /** Milliseconds without a byte after which the connection counts as dead. */
  silence: number;
}

/** 250 ms doubling to 5 s, minus up to a quarter so that readers do not reconnect all at once. */
export const backoff = (attempt: number, random: number) =>
  Math.min(5_000, 250 * 2 ** Math.min(attempt, 10)) * (1 - random / 4);

/** 1 s doubling to 30 s: pages that are all visible take turns. */
export const evictionDelay = (nth: number) => Math.min(30_000, 1_000 * 2 ** Math.min(nth, 10));

function until(target: EventTarget, event: string, ready: () => boolean, signal: AbortSignal): Promise<void> {
  if (ready()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      target.removeEventListener(event, check);
      signal.removeEventListener('abort', fail);
    };
    const check = () => {
      if (!ready()) return;
      stop();
      resolve();
    };
    const fail = () => {
      stop();
      reject(signal.reason);
    };
    target.addEventListener(event, check);
    signal.addEventListener('abort', fail);
  });
}

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

/** Waits for the network and for the page to be visible: a hidden page has no reader. */
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
