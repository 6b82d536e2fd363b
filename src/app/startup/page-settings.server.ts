import { claims, promotion, useCaseClaims } from '#content/site.ts';
import type { SettingDefinition } from '#platform/settings/setting-definitions.server.ts';
import { languageTags } from '#platform/settings/words-lines.server.ts';
import { claimForm, claimLine, claimLines } from '../pages/parts/claim-lines.server.ts';
import { homeClaimsSetting, useCaseClaimsSetting } from '../pages/parts/shown-claims.server.ts';
import { promotionSetting } from '../shell/current-sale.server.ts';
import { linesOfPromotion, promotionForm, promotionLines } from '../shell/promotion-lines.server.ts';

const aboutClaims = () =>
  `Only figures that you can prove, a line each: ${claimForm}, such as 1,200 | teams | de: Teams. Languages: ${languageTags()}; where one is missing people read the first. Empty: none. The built-in ones are samples, which only a test site shows.`;

/** In English: the operator reads them. */
export const pageSettings = (): Readonly<Record<string, SettingDefinition>> => ({
  [homeClaimsSetting]: {
    group: 'Pages',
    label: 'Figures on the home page',
    about: aboutClaims(),
    shipped: claims.map(claimLine),
    ...claimLines(),
  },
  [useCaseClaimsSetting]: {
    group: 'Pages',
    label: 'Figures beside the use cases',
    about: aboutClaims(),
    shipped: useCaseClaims.map(claimLine),
    ...claimLines(),
  },
  [promotionSetting]: {
    group: 'Pages',
    label: 'Promotion',
    about: `An offer for a time, shown with both prices until the end of its last day (UTC). Line 1: ${promotionForm}, such as yearly | 139.98 | 2027-01-31; without a code the plan’s own price is the lowered one. Line 2: the text; further lines: LANGUAGE: TEXT. Empty: none. The built-in one is a sample, which only a test site shows.`,
    shipped: promotion ? linesOfPromotion(promotion) : [],
    ...promotionLines(),
  },
});
