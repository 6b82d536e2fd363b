import { type Feature, featureTable, planLimits } from '#features/credits/contract.ts';
import { locale, m } from '#messages';

export type PricedFeature = Exclude<Feature, 'title'>;

export function freeTerms(feature: PricedFeature): string {
  const { price, free, cost } = featureTable[feature];
  if (!free) return m.pricing_part_of_pro();
  if (price === 0) return m.pricing_free_prompts();
  const { chatsPerDay } = planLimits.free;
  return feature === 'chat' && chatsPerDay !== null
    ? m.pricing_free_chat({ cost: cost({ count: price }), count: chatsPerDay })
    : cost({ count: price });
}

/** `perDay` is the fair-use limit per UTC day; undefined if the feature has none. */
export const proTerms = (feature: PricedFeature, perDay: number | undefined): string =>
  perDay === undefined
    ? m.pricing_all_prompts()
    : m.pricing_no_credits({ limit: featureTable[feature].daily({ count: perDay }) });

export function proUnlocks(): string {
  const { question, ...tools } = featureTable;
  const names = Object.values(tools).flatMap(({ free, offered, name }) => (free || !offered ? [] : [name]));
  const list = new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names);
  return question.free ? m.pricing_unlocks({ list }) : m.pricing_unlocks_questions({ list });
}
