import { useSyncExternalStore } from 'react';
import { locale } from '#messages';

const never = () => () => undefined;
const short = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** Returns 'UTC' until hydration, as in the server's markup; then undefined for the viewer's own time zone. */
export const useZone = () =>
  useSyncExternalStore<string | undefined>(
    never,
    () => undefined,
    () => 'UTC',
  );

/** Cached, because formats are expensive to create and a chat needs two per message. */
const made = new WeakMap<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>();

export function timeText(iso: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  const formats = made.get(options) ?? new Map<string, Intl.DateTimeFormat>();
  const key = `${locale()} ${timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale(), { ...options, timeZone });
  made.set(options, formats.set(key, format));
  return format.format(new Date(iso));
}

interface LocalTimeProps {
  iso: string;
  format?: Intl.DateTimeFormatOptions;
  title?: Intl.DateTimeFormatOptions | null;
  className?: string;
}

export function LocalTime({ iso, format = short, title, className }: LocalTimeProps) {
  const zone = useZone();
  const told =
    title === undefined ? `${timeText(iso, short, 'UTC')} UTC` : title && timeText(iso, title, zone);
  return (
    <time className={className} dateTime={iso} title={told ?? undefined}>
      {timeText(iso, format, zone)}
    </time>
  );
}
