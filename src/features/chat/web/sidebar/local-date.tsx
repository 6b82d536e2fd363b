import { useZone } from './use-calendar.ts';

interface LocalDateProps {
  /** ISO 8601. */
  iso: string;
  /** Shows the time of day instead of the date. */
  time?: boolean;
  className?: string;
}

/** A date in long form with its time: UTC in the server's markup, then in the viewer's own zone. */
export function useLongDate(iso: string): string {
  const timeZone = useZone();
  return new Date(iso).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone });
}

/** A date in short form: UTC in the server's markup, then in the viewer's own zone. */
export function LocalDate({ iso, time, className }: LocalDateProps) {
  const timeZone = useZone();
  const date = new Date(iso);
  const text = time
    ? date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone })
    : date.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone });
  return (
    <time className={className} dateTime={iso}>
      {text}
    </time>
  );
}
