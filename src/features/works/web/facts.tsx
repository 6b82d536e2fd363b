import { useSyncExternalStore } from 'react';

const figures = new Intl.NumberFormat('en-US');

/** 1,204 words. */
export const inWords = (words: number): string =>
  `${figures.format(words)} ${words === 1 ? 'word' : 'words'}`;

const never = () => () => undefined;

interface SavedAtProps {
  /** ISO 8601, UTC. */
  iso: string;
  format: Intl.DateTimeFormatOptions;
}

/** A time: UTC in the server's markup, then in the viewer's own zone; its title tells it in UTC. */
export function SavedAt({ iso, format }: SavedAtProps) {
  const timeZone = useSyncExternalStore<string | undefined>(
    never,
    () => undefined,
    () => 'UTC',
  );
  const date = new Date(iso);
  const whole = date.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return (
    <time dateTime={iso} title={`${whole} UTC`}>
      {date.toLocaleString('en-US', { ...format, timeZone })}
    </time>
  );
}
