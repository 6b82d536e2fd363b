import { useSyncExternalStore } from 'react';

const never = () => () => undefined;
const format = (date: Date, timeZone: string | undefined) =>
  date.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });

/** A moment in the viewer's own zone, in UTC in the server's markup and in its title. */
export function LocalTime({ iso }: { iso: string }) {
  const zone = useSyncExternalStore(
    never,
    () => undefined,
    () => 'UTC',
  );
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={`${format(date, 'UTC')} UTC`}>
      {format(date, zone)}
    </time>
  );
}
