import { locale } from '#messages';

/** November 22, 2026, in UTC. */
export const utcDate = (date: Date): string =>
  date.toLocaleDateString(locale(), { dateStyle: 'long', timeZone: 'UTC' });

/** Nov 22, 2026, 8:25 AM UTC. */
export const utcTime = (date: Date): string =>
  `${date.toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
