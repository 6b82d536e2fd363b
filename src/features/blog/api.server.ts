import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { staticText } from '#platform/http/static-text.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { sendCard } from '#platform/social-cards/render-card.server.ts';
import { baseLanguage } from '#shared/language-path.ts';
import { atom, rss } from './feeds.server.ts';
import { articleCard } from './social-card.server.ts';

export function blogApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/blog/rss.xml', (c) => staticText(c, 'application/rss+xml', withLocale(baseLanguage, rss)));
  api.get('/blog/atom.xml', (c) => staticText(c, 'application/atom+xml', withLocale(baseLanguage, atom)));
  api.get('/blog/:slug/card.png', (c) => {
    const { key, card } = articleCard({ input: { slug: c.req.param('slug') } });
    return sendCard(c, key, () => card);
  });
  return api;
}
