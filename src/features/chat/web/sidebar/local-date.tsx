import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** A date in short form: UTC in the server's markup, then in the viewer's own zone. */
export function LocalDate({ iso, className }: { iso: string; className?: string }) {
  const zone = useSyncExternalStore(
    never,
    () => undefined,
    () => 'UTC',
  );
  const date = new Date(iso);
  const text = date.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: zone });
  const title = date.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: zone });
  return (
    <time className={className} dateTime={iso} title={title}>
      {text}
    </time>
  );
}
