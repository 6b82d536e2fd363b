import { featureTable, formatCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { isOffered } from '../../shell/site-pages.ts';

function costOf(feature: 'pdf' | 'prompts'): string {
  const { free, price } = featureTable[feature];
  if (!free) return m.home_cost_pro();
  return price === 0 ? m.home_cost_free() : m.home_cost_use({ credits: formatCredits(price) });
}

export function ToolCards() {
  const cards = [
    [m.home_card_writing(), m.home_cost_chat(), '/chat/new?assistant=writer'],
    [m.home_card_pdf(), costOf('pdf'), '/tools/pdf'],
    [m.home_card_prompts(), costOf('prompts'), '/tools/prompts'],
  ] as const;
  const offeredCards = cards.filter(([, , path]) => isOffered(path.replace(/\?.*/, '')));
  return (
    <ul
      className="grid grid-cols-3 gap-3 pt-6 max-md:grid-cols-1 max-md:pt-4"
      id="tools"
      aria-label={m.home_tools()}
    >
      {offeredCards.map(([name, cost, path]) => (
        <li key={path}>
          <a
            className="flex flex-wrap justify-between gap-x-4 gap-y-1 h-full py-3 px-4 border border-line rounded-md bg-surface text-sm hover:bg-sunken"
            href={path}
          >
            <span className="font-semibold">{name}</span>
            <span className="text-fg-muted">{cost}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
