import { utcDate } from '#shared/format-date.ts';

/** November 21, 2026. */
export function LongDate({ iso }: { iso: string }) {
  return <time dateTime={iso}>{utcDate(new Date(iso))}</time>;
}
