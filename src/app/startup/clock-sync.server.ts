import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { log } from '#platform/log.server.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';

const POLL_MS = 500;

let timer: NodeJS.Timeout | undefined;

async function offsetOf(standins: string): Promise<number> {
  const response = await outbound(`${standins}/clock`, { totalMs: 2_000, maxBytes: 1024 });
  return (JSON.parse(await response.text()) as { offsetMs: number }).offsetMs;
}

/** Only a change there is written, so that a clock moved in the database itself stays. */
export async function syncClock(standins: string): Promise<void> {
  let seen = await offsetOf(standins);
  await database().run(sql`update app_clock set offset_ms = ${seen}`);
  timer = setInterval(async () => {
    try {
      const offset = await offsetOf(standins);
      if (offset === seen) return;
      await database().run(sql`update app_clock set offset_ms = ${offset}`);
      seen = offset;
    } catch (error) {
      log.debug({ error }, 'the clock of the stand-ins could not be read');
    }
  }, POLL_MS);
}

export function stopClockSync(): void {
  clearInterval(timer);
}
