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
  const fields = { eyebrow, title, text, foot: setting('brand.name') };
  const key = cardKey(fields);
  const cached = cards.get(slug);
  if (cached?.key === key) return cached;
  const entry = { key, card: renderCard(fields) };
  cards.set(slug, entry);
  entry.card.catch(() => cards.delete(slug));
  return entry;
}
