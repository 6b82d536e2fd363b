import { locale } from '#messages';
import { messageFormat } from './message-format.ts';

/** November 22, 2026, in UTC. */
export const utcDate = (date: Date): string =>
  messageFormat.date(locale(), date, { dateStyle: 'long', timeZone: 'UTC' });

/** Nov 22, 2026, 8:25 AM UTC. */
export const utcTime = (date: Date): string =>
  `${messageFormat.date(locale(), date, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
