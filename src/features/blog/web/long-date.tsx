const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** An ISO date in words: November 21, 2026. */
export function LongDate({ iso }: { iso: string }) {
  return <time dateTime={iso}>{longDate.format(new Date(iso))}</time>;
}
