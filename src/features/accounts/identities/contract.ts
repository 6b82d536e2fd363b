import type { ProviderName } from '../contract.ts';

/** The providers in their own spelling. */
export const providerLabels = { google: 'Google', github: 'GitHub' } as const satisfies Record<
  ProviderName,
  string
>;
