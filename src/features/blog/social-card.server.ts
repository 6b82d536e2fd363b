import { createHash } from 'node:crypto';
import { notFound } from '#platform/http/problem.server.ts';
import { renderCard } from '#platform/social-cards/render-card.server.ts';
import { setting } from '#shared/settings.ts';
import { articleOf } from './service.server.ts';

interface Card {
  etag: string;
  png: Buffer;
}

/** By slug, as they were last asked for; about 20 KB each. */
const cards = new Map<string, { etag: string; card: Promise<Card> }>();

export function articleCard({ input: { slug } }: { input: { slug: string } }): Promise<Card> {
  const article = articleOf(slug);
  if (!article) throw notFound();
  const { section: eyebrow, title, description: text } = article;
  const words = { eyebrow, title, text, foot: setting('brand.name') };
  const etag = `"${createHash('sha256').update(JSON.stringify(words)).digest('base64url').slice(0, 22)}"`;
  const known = cards.get(slug);
  if (known?.etag === etag) return known.card;
  const card = renderCard(words).then((png) => ({ etag, png }));
  cards.set(slug, { etag, card });
  card.catch(() => cards.delete(slug));
  return card;
}
