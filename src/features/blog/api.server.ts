import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { matchesEtag } from '#platform/http/etag.server.ts';
import { staticText } from '#platform/http/static-text.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { baseLanguage } from '#shared/language-path.ts';
import { atom, rss } from './feeds.server.ts';
import { articleCard } from './social-card.server.ts';

export function blogApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/blog/rss.xml', (c) => staticText(c, 'application/rss+xml', withLocale(baseLanguage, rss)));
  api.get('/blog/atom.xml', (c) => staticText(c, 'application/atom+xml', withLocale(baseLanguage, atom)));
  api.get('/blog/:slug/card.png', async (c) => {
    const { etag, png } = await articleCard({ input: { slug: c.req.param('slug') } });
    const headers = { etag, 'cache-control': 'private, max-age=3600' };
    if (matchesEtag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(png), 200, { ...headers, 'content-type': 'image/png' });
  });
  return api;
}
