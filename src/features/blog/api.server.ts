import { Hono } from 'hono';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { namesTag } from '../../platform/http/etag.server.ts';
import { fixedText } from '../../platform/http/fixed-text.server.ts';
import { articleCard } from './card/service.server.ts';
import { atom, rss } from './feeds/service.server.ts';

/** Feeds of the blog, and the social card of each article. */
export function blogApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/blog/rss.xml', (c) => fixedText(c, 'application/rss+xml', rss()));
  api.get('/blog/atom.xml', (c) => fixedText(c, 'application/atom+xml', atom()));
  api.get('/blog/:slug/card.png', async (c) => {
    const { etag, png } = await articleCard({ input: { slug: c.req.param('slug') } });
    const headers = { etag, 'cache-control': 'private, max-age=3600' };
    if (namesTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(png), 200, { ...headers, 'content-type': 'image/png' });
  });
  return api;
}
