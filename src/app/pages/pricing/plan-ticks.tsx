import { Check, Minus } from 'lucide-react';
import { type Feature, features, featureTable, planLimits } from '#features/credits/contract.ts';
import { m } from '#messages';

interface Tick {
  name: string;
  value: string;
  included: boolean;
}

const tools = () =>
  features
    .filter((feature) => featureTable[feature].page && featureTable[feature].offered)
    .toSorted((one, other) => rankOf(one) - rankOf(other));

function rankOf(feature: Feature): number {
  const { free, counted } = featureTable[feature];
  return counted ? Number(!free) : 2;
}

export function freeTicks(): Tick[] {
  const { chatsPerDay } = planLimits.free;
  return [
    ...tools().map((feature) => {
      const { name, free, price, cost } = featureTable[feature];
      const value = price === 0 ? m.pricing_free_only() : cost({ count: price });
      return { name, included: free, value: free ? value : m.pricing_not_included() };
    }),
    {
      name: m.upgrade_new_chats(),
      included: true,
      value: m.pricing_chats_a_day({ count: chatsPerDay ?? 0 }),
    },
  ];
}

export function proTicks(fairUse: Partial<Record<Feature, number>>): Tick[] {
  return [
    ...tools().map((feature) => {
      const { name, daily } = featureTable[feature];
      const count = fairUse[feature];
      const value =
        count === undefined ? m.pricing_all_prompts() : m.pricing_pro_limit({ limit: daily({ count }) });
      return { name, included: true, value };
    }),
    { name: m.upgrade_new_chats(), included: true, value: m.pricing_no_limit() },
  ];
}

export function PlanTicks({ ticks }: { ticks: Tick[] }) {
  return (
    <ul className="border-t border-line text-sm">
      {ticks.map(({ name, value, included }) => {
        const Icon = included ? Check : Minus;
        return (
          <li
            className={`grid grid-cols-[1.25rem_minmax(0,1fr)_minmax(0,1.3fr)] items-baseline gap-x-3 border-b border-line py-2 last:border-b-0 ${included ? '' : 'text-fg-muted'}`}
            key={name}
          >
            <Icon className="self-center" size={16} strokeWidth={2} aria-hidden="true" />
            <span className={included ? 'font-semibold' : ''}>{name}</span>
            <span className="text-fg-muted">{value}</span>
          </li>
        );
      })}
    </ul>
  );
}
