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
    const asked = [...watched.keys()];
    const live = await liveSessionIds(asyncCommitDatabase(), asked);
    for (const id of asked) {
      if (live.has(id)) continue;
      for (const cut of watched.get(id) ?? []) cut();
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
 * Calls `cut` once when the session ends for any reason. One query per interval checks all sessions of the process.
 * @returns a function that ends the watch.
 */
export function onSessionEnd(sessionId: string, cut: () => void): () => void {
  const cuts = watched.get(sessionId) ?? new Set();
  watched.set(sessionId, cuts.add(cut));
  timer ??= setInterval(pollSessions, POLL_MS).unref();
  return () => {
    cuts.delete(cut);
    if (cuts.size === 0 && watched.get(sessionId) === cuts) watched.delete(sessionId);
    stopPollingWhenIdle();
  };
}
