import { notFound } from '#platform/http/problem.server.ts';
import { cardKey, renderCard } from '#platform/social-cards/render-card.server.ts';
import { setting } from '#shared/settings.ts';
import { articleOf } from './service.server.ts';

/** The last card of each article, by slug; about 20 KB each. */
const cards = new Map<string, { key: string; card: Promise<Buffer> }>();

export function articleCard({ input: { slug } }: { input: { slug: string } }): {
  key: string;
  card: Promise<Buffer>;
} {
  const article = articleOf(slug);
  if (!article) throw notFound();
  const { section: eyebrow, title, description: text } = article;
  const words = { eyebrow, title, text, foot: setting('brand.name') };
  const key = cardKey(words);
  const known = cards.get(slug);
  if (known?.key === key) return known;
  const made = { key, card: renderCard(words) };
  cards.set(slug, made);
  made.card.catch(() => cards.delete(slug));
  return made;
}
