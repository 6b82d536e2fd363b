import { createHash } from 'node:crypto';
import { site } from '#content/site.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { renderCard } from '#platform/social-cards/render-card.server.ts';
import { articleOf } from './service.server.ts';

interface Card {
  etag: string;
  png: Buffer;
}

/** By slug; about 20 KB each. */
const cards = new Map<string, Promise<Card>>();

export function articleCard({ input: { slug } }: { input: { slug: string } }): Promise<Card> {
  const article = articleOf(slug);
  if (!article) throw notFound();
  const known = cards.get(slug);
  if (known) return known;
  const { section: eyebrow, title, description: text } = article;
  const words = { eyebrow, title, text, foot: site.name };
  const etag = `"${createHash('sha256').update(JSON.stringify(words)).digest('base64url').slice(0, 22)}"`;
  const card = renderCard(words).then((png) => ({ etag, png }));
  cards.set(slug, card);
  card.catch(() => cards.delete(slug));
  return card;
}
