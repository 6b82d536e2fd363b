import { type Context, Hono } from 'hono';
import { config } from '../../../platform/config/config.server.ts';
import { readJson } from '../../../platform/http/body.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { ownPath } from '../../../shared/own-path.ts';
import { providerSignIn } from '../contract.ts';
import { browserOf, setCookie } from '../entry/api.server.ts';
import { endJourney, providerOf, startJourney } from './service.server.ts';

/** Whether the visitor calls the site by the name to which a provider sends them back. */
const atPublicUrl = (c: Context<AppEnv>) => c.req.header('host') === new URL(config().publicUrl).host;

/** The start of a journey at PUBLIC_URL; `moved` keeps a proxy that changes the Host from sending a browser in circles. */
function startAtPublicUrl(provider: string, next: string | null): string {
  const query = new URLSearchParams({ ...(next ? { next } : {}), moved: '1' });
  return `${config().publicUrl}/api/auth/${provider}?${query}`;
}

/** `/api/auth/*`: sign-in with Google and GitHub; see docs/contract.md. */
export function oauthApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/auth/:provider', async (c) => {
      const provider = providerOf(c.req.param('provider'));
      const next = ownPath(c.req.query('next'));
      // The mark must be a cookie of the host to which the provider sends the browser back.
      if (!atPublicUrl(c) && c.req.query('moved') === undefined)
        return c.redirect(startAtPublicUrl(provider, next), 302);
      const { url, cookie } = await startJourney({ provider, next }, browserOf(c));
      setCookie(c, cookie);
      return c.redirect(url, 302);
    })
    .post('/api/auth/:provider', async (c) => {
      const provider = providerOf(c.req.param('provider'));
      const { next } = await readJson(c, providerSignIn);
      if (!atPublicUrl(c)) return c.json({ url: startAtPublicUrl(provider, ownPath(next)) });
      const { url, cookie } = await startJourney({ provider, next }, browserOf(c));
      setCookie(c, cookie);
      return c.json({ url });
    })
    .get('/api/auth/:provider/callback', async (c) => {
      const provider = providerOf(c.req.param('provider'));
      const callback = new URL(c.req.url).searchParams;
      const { location, cookie } = await endJourney({ provider, callback }, browserOf(c));
      if (cookie) setCookie(c, cookie);
      return c.redirect(location, 303);
    });
}
