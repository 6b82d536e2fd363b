import { type Claim, claims, useCaseClaims } from '#content/site.ts';
import { config } from '#platform/config/config.server.ts';
import { spoken } from '#shared/operator-words.ts';
import { settingOr } from '#shared/settings.ts';
import { claimsOfLines } from './claim-lines.server.ts';

export const homeClaimsSetting = 'claims.home';
export const useCaseClaimsSetting = 'claims.useCases';

export interface ShownClaim {
  value: string;
  label: string;
  sample: boolean;
}

/** The operator's, else those of content/site.ts. */
function claimsOf(setting: string, shipped: readonly Claim[]): readonly Claim[] {
  const lines = settingOr<readonly string[] | null>(setting, null);
  return lines === null ? shipped : claimsOfLines(lines);
}

export const homeClaims = () => claimsOf(homeClaimsSetting, claims);
export const claimsOfUseCases = () => claimsOf(useCaseClaimsSetting, useCaseClaims);

/** Samples leave the server only while the site runs in its sandbox. */
export const shownClaims = (of: readonly Claim[]): ShownClaim[] =>
  of
    .filter(({ sample }) => config().sandbox || !sample)
    .map(({ value, label, sample }) => ({ value: spoken(value), label: spoken(label), sample }));
