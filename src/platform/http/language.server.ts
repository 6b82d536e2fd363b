import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import { type Locale, locales } from '#messages';
import { baseLanguage, splitLanguage, toLocale } from '#shared/language-path.ts';
import { type Paper, paperOf, papers } from '#shared/paper.ts';
import { safeRedirectPath } from '#shared/safe-redirect.ts';
import { BoundedCache } from '../bounded-cache.ts';
import { config } from '../config/config.server.ts';
import type { AppEnv } from './app-env.server.ts';

const COOKIE = 'language';
const YEAR = 365 * 24 * 3600;
const MAX_LANGUAGES = 10;

/** Bounded, because browsers send the tags. */
const known = new BoundedCache<string | null>(500);

/** Language and likely script, so that `zh-CN` matches `zh-Hans` and `pt` matches `pt-BR`, but `zh-TW` does not. */
function languageAndScript(tag: string): string | null {
  const cached = known.get(tag);
  if (cached !== undefined) return cached;
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return known.set(tag, `${language}-${script}`);
  } catch {
    return known.set(tag, null);
  }
}

export function preferredLanguage<L extends string>(
  header: string | undefined,
  offered: readonly L[],
): L | null {
  for (const { type, q } of parseAccept(header ?? '').slice(0, MAX_LANGUAGES)) {
    const requested = q > 0 ? languageAndScript(type) : null;
    const found =
      requested &&
      (offered.find((tag) => tag === type) ?? offered.find((tag) => languageAndScript(tag) === requested));
    if (found) return found;
  }
  return null;
}

/** Returns the paper size of the `paper` parameter, else the usual one in the region of the browser's language. */
export const requestPaper = (c: Context<AppEnv>): Paper =>
  papers.find((paper) => paper === c.req.query('paper')) ??
  paperOf(parseAccept(c.req.header('accept-language') ?? '')[0]?.type);

function referer(c: Context<AppEnv>): URL | null {
  const address = c.req.header('referer');
  return address && URL.canParse(address) ? new URL(address) : null;
}

export function refererPage(c: Context<AppEnv>): string {
  const { pathname = '/', search = '' } = referer(c) ?? {};
  return safeRedirectPath(splitLanguage(pathname).path + search) ?? '/';
}

export function requestLanguage(c: Context<AppEnv>): Locale {
  if (locales.length === 1) return baseLanguage;
  const { path } = c.req;
  const { actor } = c.var;
  return (
    splitLanguage(path.startsWith('/api/') ? (referer(c)?.pathname ?? '') : path).language ??
    (actor.kind === 'user' ? toLocale(actor.language) : null) ??
    toLocale(getCookie(c, COOKIE)) ??
    preferredLanguage(c.req.header('accept-language'), locales) ??
    baseLanguage
  );
}

export function rememberLanguage(c: Context<AppEnv>, language: Locale): void {
  setCookie(c, COOKIE, language, {
    path: '/',
    maxAge: YEAR,
    httpOnly: true,
    sameSite: 'Lax',
    secure: config().secure,
  });
}
