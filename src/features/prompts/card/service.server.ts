import { createHash } from 'node:crypto';
import { site } from '../../../../content/site.ts';
import { renderCard } from '../../../platform/cards/card.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { categoryNames } from '../contract.ts';
import { openPrompt } from '../service.server.ts';

interface Card {
  etag: string;
  png: Buffer;
}

/** Cards of about 20 KB that stay in memory. */
const MOST = 300;
/** New ones that a network may ask for: each takes half a second of a processor. */
const MADE = { max: 120, seconds: 3600 };

/** Cards that are made or being made, by what they say, the last used last. */
const cards = new Map<string, Promise<Card>>();

async function made(words: Parameters<typeof renderCard>[0], key: string): Promise<Card> {
  return { etag: `"${key}"`, png: await renderCard(words) };
}

/**
 * The social card of a published prompt, made at its first use: what anybody may see of it, and no word of its content.
 * @throws Problem not_found; rate_limited, unavailable when too many are made.
 */
export async function promptCard({ input }: { input: { slug: string; address: string } }): Promise<Card> {
  const prompt = await openPrompt({ actor: { kind: 'guest' }, input: { name: input.slug } });
  const words = {
    eyebrow: `Prompt Lab · ${categoryNames[prompt.category]}`,
    title: prompt.title,
    text: prompt.description,
    foot: site.name,
  };
  const key = createHash('sha256').update(JSON.stringify(words)).digest('base64url').slice(0, 22);
  if (!cards.has(key)) await enforceLimit(`prompt-card:${input.address}`, MADE);
  const card = cards.get(key) ?? made(words, key);
  cards.delete(key);
  cards.set(key, card);
  const [oldest] = cards.keys();
  if (cards.size > MOST && oldest !== undefined) cards.delete(oldest);
  return card.catch((error: unknown) => {
    cards.delete(key);
    throw error;
  });
}
