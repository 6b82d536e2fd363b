const dayMs = 24 * 60 * 60 * 1000;

/** The next 00:00 UTC. */
const nextDay = (now: Date) => new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs);

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes < 60) return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? 'in an hour' : `in ${hours} hours`;
}

/**
 * When the next day of limits begins, as the reader's clock shows it: '4:00 PM today, in 5 hours'. Days are UTC, so
 * it is today west of Greenwich and tomorrow east of it. `zone` is the reader's own unless told.
 */
export function nextDayHere(now: Date, zone?: string): string {
  const next = nextDay(now);
  const date = (at: Date) => at.toLocaleDateString('en-US', { dateStyle: 'short', timeZone: zone });
  const time = next.toLocaleTimeString('en-US', { timeStyle: 'short', timeZone: zone });
  const day = date(next) === date(now) ? 'today' : 'tomorrow';
  return `${time} ${day}, ${inWords(next.getTime() - now.getTime())}`;
}
