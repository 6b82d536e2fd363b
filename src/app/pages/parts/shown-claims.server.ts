import { type Claim, claims, useCaseClaims } from '#content/site.ts';
import { config } from '#platform/config/config.server.ts';
import { localizedWords } from '#shared/operator-words.ts';
import { settingOr } from '#shared/settings.ts';
import { parseClaims } from './claim-lines.server.ts';

export const homeClaimsSetting = 'claims.home';
export const useCaseClaimsSetting = 'claims.useCases';

export interface ShownClaim {
  value: string;
  label: string;
  sample: boolean;
}

/** Returns the operator's claims, or those of content/site.ts if the operator has not set any. */
function claimsOf(setting: string, shipped: readonly Claim[]): readonly Claim[] {
  const lines = settingOr<readonly string[] | null>(setting, null);
  return lines === null ? shipped : parseClaims(lines);
}

export const homeClaims = () => claimsOf(homeClaimsSetting, claims);
export const claimsOfUseCases = () => claimsOf(useCaseClaimsSetting, useCaseClaims);

/** Returns claims in the reader's language; samples only in a sandbox. */
export const shownClaims = (list: readonly Claim[]): ShownClaim[] =>
  list
    .filter(({ sample }) => config().sandbox || !sample)
    .map(({ value, label, sample }) => ({
      value: localizedWords(value),
      label: localizedWords(label),
      sample,
    }));
