import type { Claim } from '#content/site.ts';
import { config } from '#platform/config/config.server.ts';
import { spoken } from '#shared/operator-words.ts';

export interface ShownClaim {
  value: string;
  label: string;
  sample: boolean;
}

/** Samples leave the server only while the site runs in its sandbox. */
export const shownClaims = (claims: readonly Claim[]): ShownClaim[] =>
  claims
    .filter(({ sample }) => config().sandbox || !sample)
    .map(({ value, label, sample }) => ({ value: spoken(value), label: spoken(label), sample }));
