import { keyedHash } from '#features/accounts/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import { customerKey } from '#platform/http/client-address.server.ts';
import { hitRateLimit } from '#platform/http/rate-limit.server.ts';
import { retentionMonths, type ViewDimension, viewDimensions } from './contract.ts';
import { addView, deleteViewsBefore, isReferrerCountedToday, viewSums, viewsByDay } from './store.server.ts';

/** The address itself is never stored for the counts, not even for minutes. */
export const networkHash = (network: string): string => keyedHash('limit', network).toString('base64url');

/** Per day, so that made-up referrers cannot fill the table. */
const MAX_REFERRERS = 300;

/** New hosts per customer of a network, so that nobody uses up the day's maximum alone. */
const newReferrerLimit = { max: 20, seconds: 24 * 3600 };

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

function parseLanguage(acceptLanguage: string | undefined): string | null {
  const code = /^\s*([a-z]{2,3})(?=[-,;\s]|$)/i.exec(acceptLanguage ?? '')?.[1]?.toLowerCase();
  return code && languageNames.of(code) ? code : null;
}

const isHost = (text: string) =>
  /^(?=.{4,100}$)([a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(text);

function parseReferrer(text: string | undefined): string | null {
  const host = URL.parse(`http://${text}`)?.hostname.replace(/^www\./, '') ?? '';
  const own = new URL(config().publicUrl).hostname.replace(/^www\./, '');
  return host !== own && isHost(host) ? host : null;
}

async function countedReferrer(text: string | undefined, clientAddress: string): Promise<string | null> {
  const host = parseReferrer(text);
  if (host === null || (await isReferrerCountedToday(host))) return host;
  const key = `view-referrer:${networkHash(customerKey(clientAddress))}`;
  return (await hitRateLimit(key, newReferrerLimit)).allowed ? host : null;
}

/**
 * Stores daily sums by page, referring host, language and width, each separately: nothing about the visitor, and no
 * combinations. If an address was the first to name a host, its hash is kept for a day.
 */
export async function countView(view: {
  page: string;
  referrer: string | undefined;
  acceptLanguage: string | undefined;
  width: string;
  clientAddress: string;
}): Promise<void> {
  const values: Record<ViewDimension, string | null> = {
    page: view.page,
    referrer: await countedReferrer(view.referrer, view.clientAddress),
    language: parseLanguage(view.acceptLanguage),
    width: view.width,
  };
  await addView(
    viewDimensions.flatMap((fact) => {
      const value = values[fact];
      return value === null ? [] : [{ fact, value }];
    }),
    MAX_REFERRERS,
  );
}

export async function countedViews(days: number) {
  const [byDay, page, referrer, language, width] = await Promise.all([
    viewsByDay(days),
    ...viewDimensions.map((fact) => viewSums(fact, days)),
  ]);
  return { byDay, page: page ?? [], referrer: referrer ?? [], language: language ?? [], width: width ?? [] };
}

export const deleteOldViews = (): Promise<number> => deleteViewsBefore(retentionMonths);
