import { asyncCommitDatabase } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { liveSessionIds } from './session-store.server.ts';

/** A stream ends within twice this time, whichever process ended its session. */
const POLL_MS = 400;

const watched = new Map<string, Set<() => void>>();
let timer: NodeJS.Timeout | undefined;
let polling = false;

async function pollSessions(): Promise<void> {
  if (polling) return;
  polling = true;
  try {
    const ids = [...watched.keys()];
    const live = await liveSessionIds(asyncCommitDatabase(), ids);
    for (const id of ids) {
      if (live.has(id)) continue;
      for (const onEnd of watched.get(id) ?? []) onEnd();
      watched.delete(id);
    }
  } catch (error) {
    log.debug({ error }, 'the sessions of open streams could not be looked up; they are tried again');
  } finally {
    polling = false;
    stopPollingWhenIdle();
  }
}

function stopPollingWhenIdle(): void {
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/**
 * Calls `onEnd` once when the session ends for any reason. One query per interval checks all sessions of the process.
 * @returns a function that ends the watch.
 */
export function onSessionEnd(sessionId: string, onEnd: () => void): () => void {
  const callbacks = watched.get(sessionId) ?? new Set();
  watched.set(sessionId, callbacks.add(onEnd));
  timer ??= setInterval(pollSessions, POLL_MS).unref();
  return () => {
    callbacks.delete(onEnd);
    if (callbacks.size === 0 && watched.get(sessionId) === callbacks) watched.delete(sessionId);
    stopPollingWhenIdle();
  };
}
