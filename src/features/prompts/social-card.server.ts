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
const CACHE_SIZE = 300;
/** New cards per network and hour; each takes half a second of CPU time. */
const RENDER_LIMIT = { max: 120, seconds: 3600 };
/** Renders at the same time per network; all networks share the queue. */
const MAX_CONCURRENT = 4;

/** LRU cache by content; the last used card is last. */
const cards = new Map<string, Promise<Buffer>>();

const rendering = new Map<string, number>();

/** @throws Problem rate_limited synchronously, before the card is cached */
function renderForNetwork(fields: Parameters<typeof renderCard>[0], network: string): Promise<Buffer> {
  const running = rendering.get(network) ?? 0;
  if (running >= MAX_CONCURRENT) throw new Problem('rate_limited', m.prompts_cards_busy(), { retryAfter: 5 });
  rendering.set(network, running + 1);
  return renderCard(fields).finally(() => {
    const remaining = (rendering.get(network) ?? 1) - 1;
    if (remaining > 0) rendering.set(network, remaining);
    else rendering.delete(network);
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
  const fields = {
    eyebrow: `${featureTable.prompts.name} · ${categoryNames[prompt.category]()}`,
    title: prompt.title,
    text: prompt.description,
    foot: setting('brand.name'),
  };
  const network = addressKey(input.address);
  const key = cardKey(fields);
  if (!cards.has(key)) await enforceLimit(`prompt-card:${network}`, RENDER_LIMIT);
  const card = cards.get(key) ?? renderForNetwork(fields, network);
  cards.delete(key);
  cards.set(key, card);
  const [oldest] = cards.keys();
  if (cards.size > CACHE_SIZE && oldest !== undefined) cards.delete(oldest);
  try {
    return { key, card: await card };
  } catch (error) {
    cards.delete(key);
    throw error;
  }
}
