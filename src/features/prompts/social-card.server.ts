import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { addressKey } from '#platform/http/client-address.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { cardKey, renderCard } from '#platform/social-cards/render-card.server.ts';
import { setting } from '#shared/settings.ts';
import { categoryNames } from './contract.ts';
import { openPrompt } from './service.server.ts';

/** Cards to keep in memory, about 20 KB each. */
const MOST = 300;
/** New cards per network and hour; each takes half a second of CPU time. */
const MADE = { max: 120, seconds: 3600 };
/** Renders at the same time per network; all networks share the queue. */
const AT_ONCE = 4;

/** LRU cache by content; the last used card is last. */
const cards = new Map<string, Promise<Buffer>>();

const making = new Map<string, number>();

/** @throws Problem rate_limited synchronously, before the card is cached */
function renderedCard(words: Parameters<typeof renderCard>[0], network: string): Promise<Buffer> {
  const others = making.get(network) ?? 0;
  if (others >= AT_ONCE) throw new Problem('rate_limited', m.prompts_cards_busy(), { retryAfter: 5 });
  making.set(network, others + 1);
  return renderCard(words).finally(() => {
    const left = (making.get(network) ?? 1) - 1;
    if (left > 0) making.set(network, left);
    else making.delete(network);
  });
}

/**
 * Renders a card from the public fields of the prompt, never from its content.
 * @throws Problem not_found, rate_limited, unavailable
 */
export async function promptCard({ input }: { input: { slug: string; address: string } }): Promise<{
  key: string;
  card: Buffer;
}> {
  const prompt = await openPrompt({ actor: { kind: 'guest' }, input: { name: input.slug } });
  const words = {
    eyebrow: `${featureTable.prompts.name} · ${categoryNames[prompt.category]()}`,
    title: prompt.title,
    text: prompt.description,
    foot: setting('brand.name'),
  };
  const network = addressKey(input.address);
  const key = cardKey(words);
  if (!cards.has(key)) await enforceLimit(`prompt-card:${network}`, MADE);
  const card = cards.get(key) ?? renderedCard(words, network);
  cards.delete(key);
  cards.set(key, card);
  const [oldest] = cards.keys();
  if (cards.size > MOST && oldest !== undefined) cards.delete(oldest);
  try {
    return { key, card: await card };
  } catch (error) {
    cards.delete(key);
    throw error;
  }
}
