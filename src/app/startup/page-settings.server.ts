import { type Claim, claims, promotion, useCaseClaims } from '#content/site.ts';
import type { SettingDefinition } from '#platform/settings/setting-definitions.server.ts';
import { flag } from '#platform/settings/setting-kinds.server.ts';
import { languageTags } from '#platform/settings/translated-words.server.ts';
import { notificationsSetting, offlineSetting } from '#shared/offline-app.ts';
import { claimFormat, claimsKind, formatClaim } from '../pages/parts/claim-lines.server.ts';
import { homeClaimsSetting, useCaseClaimsSetting } from '../pages/parts/shown-claims.server.ts';
import { promotionSetting } from '../shell/current-sale.server.ts';
import { formatPromotion, promotionFormat, promotionKind } from '../shell/promotion-lines.server.ts';

const translated = () => `Languages: ${languageTags()}; where one is missing, people see the first text.`;

const figures = (shipped: readonly Claim[]): Omit<SettingDefinition, 'label'> => ({
  group: 'Pages',
  about: `Figures you can prove, one per line: ${claimFormat}, for example 1,200 | teams | de: Teams. ${translated()} Empty: none; a sandbox then shows samples.`,
  // Without samples: a saved line counts as the operator's own figure.
  shipped: shipped.filter(({ sample }) => !sample).map(formatClaim),
  ...claimsKind(),
});

/** Labels are in English only, because they are for the operator. */
export const pageSettings = (): Readonly<Record<string, SettingDefinition>> => ({
  [homeClaimsSetting]: { label: 'Figures on the home page', ...figures(claims) },
  [useCaseClaimsSetting]: { label: 'Figures on the use cases page', ...figures(useCaseClaims) },
  [promotionSetting]: {
    group: 'Pages',
    label: 'Promotion',
    about: `A limited-time offer, shown with its old and new price until the end of its last day (UTC). Line 1: ${promotionFormat}, for example yearly | 139.98 | 2027-01-31; the new price is the current price of the plan. With a code at checkout: yearly | 69.99 | 2027-01-31 | HALF | 34.99. Line 2: the text. More lines: LANGUAGE: TEXT. ${translated()} Empty: none; a sandbox then shows a sample.`,
    shipped: promotion && !promotion.sample ? formatPromotion(promotion) : [],
    ...promotionKind(),
  },
  [offlineSetting]: {
    group: 'Pages',
    label: 'Installed app',
    about:
      'Whether browsers may keep a service worker: the offline page, chats to read offline, and notifications. When off, it removes itself and everything it stored from each browser on its next visit.',
    shipped: true,
    inPages: true,
    ...flag(),
  },
  [notificationsSetting]: {
    group: 'Pages',
    label: 'Notifications',
    about:
      'Whether people can get a browser notification when a reply is ready. Notifications go, encrypted, through the browser maker’s push service. Requires the installed app.',
    shipped: true,
    inPages: true,
    ...flag(),
  },
});
