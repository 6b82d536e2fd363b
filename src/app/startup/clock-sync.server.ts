import { setTimeout as pause } from 'node:timers/promises';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { log } from '#platform/log.server.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';

const RETRY_MS = 500;
/** The stand-ins' long poll answers after at most 20 s (`standins/control.ts`). */
const LONG_POLL_MS = 25_000;

let stopped = new AbortController();

/** Returns the offset of the stand-ins' clock in milliseconds; with `previous`, waits for another value (long poll). */
async function readOffset(standins: string, previous?: number): Promise<number> {
  const query = previous === undefined ? '' : `?unlike=${previous}`;
  const response = await outbound(`${standins}/clock${query}`, {
    firstByteMs: LONG_POLL_MS,
    totalMs: LONG_POLL_MS,
    maxBytes: 1024,
    signal: stopped.signal,
  });
  return (JSON.parse(await response.text()) as { offsetMs: number }).offsetMs;
}

const setOffset = (offsetMs: number) => database().run(sql`update app_clock set offset_ms = ${offsetMs}`);

/** Writes only changes of the stand-ins' clock, so that an offset set directly in the database is kept. */
async function follow(standins: string, from: number): Promise<void> {
  let lastOffset = from;
  while (!stopped.signal.aborted) {
    try {
      const offset = await readOffset(standins, lastOffset);
      if (offset === lastOffset) continue;
      await setOffset(offset);
      lastOffset = offset;
    } catch (error) {
      log.debug({ error }, 'the clock of the stand-ins could not be read');
      await pause(RETRY_MS, undefined, { ref: false });
    }
  }
}

/** Keeps the database's clock offset equal to that of the stand-ins. */
export async function syncClock(standins: string): Promise<void> {
  stopped = new AbortController();
  const offset = await readOffset(standins);
  await setOffset(offset);
  void follow(standins, offset);
}

export function stopClockSync(): void {
  stopped.abort();
}
