import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { renderCard } from '../platform/cards/card.server.ts';
import { config } from '../platform/config/config.server.ts';
import type { AppEnv } from '../platform/http/env.server.ts';
import { namesTag } from '../platform/http/etag.server.ts';
import { notFound } from '../platform/http/problem.server.ts';
import { cardWords, isWordedPage, type WordedPage } from './pages/parts/page-words.ts';

/** By page, each made at its first use: about 20 KB each. */
const cards = new Map<WordedPage, Promise<Buffer>>();

function cardOf(page: WordedPage): Promise<Buffer> {
  const known = cards.get(page);
  if (known) return known;
  const card = renderCard(cardWords(page, config().publicUrl));
  cards.set(page, card);
  card.catch(() => cards.delete(page));
  return card;
}

/** `/cards/NAME.png`: the social cards of pages that have words of their own. */
export function pageCardsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/cards/:name', async (c) => {
    const page = c.req.param('name').replace(/\.png$/, '');
    if (!isWordedPage(page) || !c.req.path.endsWith('.png')) throw notFound();
    const words = JSON.stringify(cardWords(page, config().publicUrl));
    const etag = `"${createHash('sha256').update(words).digest('base64url').slice(0, 22)}"`;
    const headers = { etag, 'cache-control': 'private, max-age=3600' };
    if (namesTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(await cardOf(page)), 200, { ...headers, 'content-type': 'image/png' });
  });
  return api;
}
