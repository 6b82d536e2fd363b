import { useSyncExternalStore } from 'react';

const never = () => () => undefined;
const whole = { dateStyle: 'medium', timeStyle: 'short' } as const;

interface LocalTimeProps {
  /** ISO 8601, UTC. */
  iso: string;
  /** Date and time of day in short form unless told. */
  format?: Intl.DateTimeFormatOptions;
}

/** A moment in the viewer's own zone, in UTC in the server's markup; its title tells the whole of it in UTC. */
export function LocalTime({ iso, format = whole }: LocalTimeProps) {
  const timeZone = useSyncExternalStore<string | undefined>(
    never,
    () => undefined,
    () => 'UTC',
  );
  const date = new Date(iso);
  return (
    <time dateTime={iso} title={`${date.toLocaleString('en-US', { ...whole, timeZone: 'UTC' })} UTC`}>
      {date.toLocaleString('en-US', { ...format, timeZone })}
    </time>
  );
}
