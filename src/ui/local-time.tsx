import { useSyncExternalStore } from 'react';
import { locale } from '#messages';

const subscribe = () => () => undefined;
const short = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** Returns 'UTC' until hydration, as in the server's markup; then undefined for the viewer's own time zone. */
export const useZone = () =>
  useSyncExternalStore<string | undefined>(
    subscribe,
    () => undefined,
    () => 'UTC',
  );

/** Cached, because formats are expensive to create and a chat needs two per message. */
const formatsByOptions = new WeakMap<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>();

export function timeText(iso: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  const formats = formatsByOptions.get(options) ?? new Map<string, Intl.DateTimeFormat>();
  const key = `${locale()} ${timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale(), { ...options, timeZone });
  formatsByOptions.set(options, formats.set(key, format));
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
  const tooltip =
    title === undefined ? `${timeText(iso, short, 'UTC')} UTC` : title && timeText(iso, title, zone);
  return (
    <time className={className} dateTime={iso} title={tooltip ?? undefined}>
      {timeText(iso, format, zone)}
    </time>
  );
}
