import { Hono } from 'hono';
import { brandFile } from '#platform/brand-files/brand-files.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import type { CardContent } from '#platform/social-cards/card-content.ts';
import { cardKey, renderCard, sendCard } from '#platform/social-cards/render-card.server.ts';
import { setting } from '#shared/settings.ts';
import { isNamedPage, socialCardText } from './pages/parts/page-metadata.ts';
import { toolCard } from './tool-cards.server.ts';

/** Cards by page and content, about 20 KB each, rendered on first use. */
const cards = new Map<string, Promise<Buffer>>();

function cachedCard(key: string, content: CardContent): Promise<Buffer> {
  const cached = cards.get(key);
  if (cached) return cached;
  const card = renderCard(content);
  cards.set(key, card);
  card.catch(() => cards.delete(key));
  return card;
}

async function cardLogo(): Promise<Pick<CardContent, 'logo'>> {
  const logo = setting('brand.logo');
  const file = logo && (await brandFile(logo.path.replace('/brand/', '')));
  if (!logo || !file) return {};
  const { width, height, withName = false } = logo;
  return { logo: { png: file.toString('base64'), width, height, withName } };
}

export function socialCardsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/cards/:name', async (c) => {
    const page = c.req.param('name').replace(/\.png$/, '');
    const { publicUrl } = config();
    const texts = isNamedPage(page) ? socialCardText(page, publicUrl) : toolCard(page, publicUrl);
    if (!texts || !c.req.path.endsWith('.png')) throw notFound();
    const content = { ...texts, ...(await cardLogo()) };
    const key = cardKey(content);
    return sendCard(c, key, () => cachedCard(key, content));
  });
  return api;
}
