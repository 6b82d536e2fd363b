import { type Feature, features, featureTable } from '#features/credits/contract.ts';
import { fairUse } from '#features/credits/service.server.ts';

export function allFairUse(): Partial<Record<Feature, number>> {
  const counted = features.flatMap((feature) => {
    const runs = fairUse(feature);
    return runs === null || !featureTable[feature].offered ? [] : [[feature, runs]];
  });
  return Object.fromEntries(counted);
}
