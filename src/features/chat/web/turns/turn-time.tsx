import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

type Style = 'short' | 'full';

const options: Record<Style, Intl.DateTimeFormatOptions> = {
  short: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  full: { dateStyle: 'full', timeStyle: 'long' },
};
const made = new Map<string, Intl.DateTimeFormat>();

/** Formats are costly to make and there are two of them for each turn. */
function formatOf(style: Style, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat('en-US', { ...options[style], timeZone });
  made.set(key, format);
  return format;
}

/** The time of a message: UTC in the server's markup, then in the viewer's own zone. */
export function TurnTime({ iso }: { iso: string }) {
  const zone = useSyncExternalStore(
    never,
    () => undefined,
    () => 'UTC',
  );
  const date = new Date(iso);
  return (
    <time className="turn-time" dateTime={iso} title={formatOf('full', zone).format(date)}>
      {formatOf('short', zone).format(date)}
    </time>
  );
}
