import type { ProviderName } from '../contract.ts';

export const providerLabels = { google: 'Google', github: 'GitHub' } as const satisfies Record<
  ProviderName,
  string
>;
