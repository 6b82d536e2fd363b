import { utcDate } from '#shared/format-date.ts';

export function LongDate({ iso }: { iso: string }) {
  return <time dateTime={iso}>{utcDate(new Date(iso))}</time>;
}
