import { config } from '../../platform/config/config.server.ts';
import { type Fact, facts, keptMonths } from './contract.ts';
import { addView, removeBefore, sumsOf, viewsByDay } from './store.server.ts';

/** Hosts that are told apart on one day: what anybody may send cannot fill the table. */
const MOST_REFERRERS = 300;

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The first language that a browser asks for, without its country: `en`; null for none that there is. */
function languageOf(acceptLanguage: string | undefined): string | null {
  const code = /^\s*([a-z]{2,3})(?=[-,;\s]|$)/i.exec(acceptLanguage ?? '')?.[1]?.toLowerCase();
  return code && languageNames.of(code) ? code : null;
}

/** A public host without `www.`; null for our own, an address or anything else. */
function referrerOf(text: string | undefined): string | null {
  const host = URL.parse(`http://${text}`)?.hostname.replace(/^www\./, '') ?? '';
  const own = new URL(config().publicUrl).hostname.replace(/^www\./, '');
  return host !== own && /^(?=.{4,100}$)([a-z0-9_-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host) ? host : null;
}

/**
 * Counts a view of a page. Stored are sums of the day by page, host that led here, language and width, each by
 * itself; nothing of the visitor, and no two of these together.
 * @param view `page` is one of our own paths or patterns; `referrer` and `acceptLanguage` as the browser sent them.
 */
export async function countView(view: {
  page: string;
  referrer: string | undefined;
  acceptLanguage: string | undefined;
  width: string;
}): Promise<void> {
  const values: Record<Fact, string | null> = {
    page: view.page,
    referrer: referrerOf(view.referrer),
    language: languageOf(view.acceptLanguage),
    width: view.width,
  };
  await addView(
    facts.flatMap((fact) => {
      const value = values[fact];
      return value === null ? [] : [{ fact, value }];
    }),
    MOST_REFERRERS,
  );
}

/** What was counted on the last `days` UTC days, today included. */
export async function countedViews(days: number) {
  const [byDay, page, referrer, language, width] = await Promise.all([
    viewsByDay(days),
    ...facts.map((fact) => sumsOf(fact, days)),
  ]);
  return { byDay, page: page ?? [], referrer: referrer ?? [], language: language ?? [], width: width ?? [] };
}

/** Removes the sums that are older than they are kept. @returns their number. */
export const forgetOldViews = (): Promise<number> => removeBefore(keptMonths);
