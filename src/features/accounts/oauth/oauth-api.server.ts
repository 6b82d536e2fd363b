import { type Context, Hono } from 'hono';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { providerSignIn } from '../contract.ts';
import { safeReturnTo } from '../return-to.ts';
import { browserOf, setCookie } from '../sign-in/request-browser.server.ts';
import { completeOAuthFlow, requireProvider, startOAuthFlow } from './oauth-flow.server.ts';

const atPublicUrl = (c: Context<AppEnv>) => c.req.header('host') === new URL(config().publicUrl).host;

/** `moved` prevents a redirect loop behind a proxy that changes the Host. */
function startAtPublicUrl(provider: string, next: string | null): string {
  const query = new URLSearchParams({ ...(next ? { next } : {}), moved: '1' });
  return `${config().publicUrl}/api/auth/${provider}?${query}`;
}

/**
 * Images, frames and prefetches on a foreign page could start sign-ins in its visitors' browsers, and use up the limits
 * of their network. https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header,
 * https://wicg.github.io/nav-speculation/prefetch.html
 */
function requireDocumentRequest(c: Context<AppEnv>): void {
  const dest = c.req.header('sec-fetch-dest') ?? 'document';
  const isPrefetch = c.req.header('sec-purpose')?.includes('prefetch');
  if (dest !== 'document' || isPrefetch) throw new Problem('bad_request', m.oauth_needs_window());
}

export function oauthApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/auth/:provider', async (c) => {
      const provider = requireProvider(c.req.param('provider'));
      requireDocumentRequest(c);
      if (c.req.method === 'HEAD') return c.body(null, 204);
      const next = safeReturnTo(c.req.query('next'));
      // The cookie must belong to the host to which the provider redirects.
      if (!atPublicUrl(c) && c.req.query('moved') === undefined)
        return c.redirect(startAtPublicUrl(provider, next), 302);
      const { url, cookie } = await startOAuthFlow({ provider, next }, browserOf(c));
      setCookie(c, cookie);
      return c.redirect(url, 302);
    })
    .post('/api/auth/:provider', async (c) => {
      const provider = requireProvider(c.req.param('provider'));
      const { next } = await readJson(c, providerSignIn);
      if (!atPublicUrl(c)) return c.json({ url: startAtPublicUrl(provider, safeReturnTo(next)) });
      const { url, cookie } = await startOAuthFlow({ provider, next }, browserOf(c));
      setCookie(c, cookie);
      return c.json({ url });
    })
    .get('/api/auth/:provider/callback', async (c) => {
      const provider = requireProvider(c.req.param('provider'));
      requireDocumentRequest(c);
      if (c.req.method === 'HEAD') return c.body(null, 204);
      const callback = new URL(c.req.url).searchParams;
      const { location, cookie } = await completeOAuthFlow({ provider, callback }, browserOf(c));
      if (cookie) setCookie(c, cookie);
      return c.redirect(location, 303);
    });
}
