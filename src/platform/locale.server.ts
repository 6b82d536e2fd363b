import { AsyncLocalStorage } from 'node:async_hooks';
import type { Locale } from '#messages';

const current = new AsyncLocalStorage<Locale>();

/** The language of the work at hand: the request's, or the one that a job was given. */
export const locale = (): Locale => current.getStore() ?? 'en';

/** Does work in a language: a page, a mail, a file. */
export const withLocale = <T>(language: Locale, work: () => T): T => current.run(language, work);
