import { AsyncLocalStorage } from 'node:async_hooks';
import type { Locale } from '#messages';

const current = new AsyncLocalStorage<Locale>();

export const locale = (): Locale => current.getStore() ?? 'en';

export const withLocale = <T>(language: Locale, work: () => T): T => current.run(language, work);
