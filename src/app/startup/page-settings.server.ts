import { type Claim, claims, promotion, useCaseClaims } from '#content/site.ts';
import type { SettingDefinition } from '#platform/settings/setting-definitions.server.ts';
import { flag } from '#platform/settings/setting-kinds.server.ts';
import { languageTags } from '#platform/settings/translated-words.server.ts';
import { notificationsSetting, offlineSetting } from '#shared/offline-app.ts';
import { claimForm, claimLine, claimsKind } from '../pages/parts/claim-lines.server.ts';
import { homeClaimsSetting, useCaseClaimsSetting } from '../pages/parts/shown-claims.server.ts';
import { promotionSetting } from '../shell/current-sale.server.ts';
import { linesOfPromotion, promotionForm, promotionKind } from '../shell/promotion-lines.server.ts';

const translated = () => `Languages: ${languageTags()}; people read the first text where theirs is missing.`;

const figures = (shipped: readonly Claim[]): Omit<SettingDefinition, 'label'> => ({
  group: 'Pages',
  about: `Figures you can prove, one per line: ${claimForm}, for example 1,200 | teams | de: Teams. ${translated()} Empty: none; a test site then shows samples.`,
  // Samples are nothing to begin with: a saved line counts as the operator's own.
  shipped: shipped.filter(({ sample }) => !sample).map(claimLine),
  ...claimsKind(),
});

/** In English: the operator reads them. */
export const pageSettings = (): Readonly<Record<string, SettingDefinition>> => ({
  [homeClaimsSetting]: { label: 'Figures on the home page', ...figures(claims) },
  [useCaseClaimsSetting]: { label: 'Figures on the use cases page', ...figures(useCaseClaims) },
  [promotionSetting]: {
    group: 'Pages',
    label: 'Promotion',
    about: `An offer for a limited time, shown with its old and its new price until the end of its last day (UTC). Line 1: ${promotionForm}, for example yearly | 139.98 | 2027-01-31; the new price is the one that the plan has. With a code at checkout: yearly | 69.99 | 2027-01-31 | HALF | 34.99. Line 2: the text. Further lines: LANGUAGE: TEXT. ${translated()} Empty: none; a test site then shows a sample.`,
    shipped: promotion && !promotion.sample ? linesOfPromotion(promotion) : [],
    ...promotionKind(),
  },
  [offlineSetting]: {
    group: 'Pages',
    label: 'Installed app',
    about:
      'Whether browsers may keep a service worker: the page that stands in while the network is away, chats for reading offline, and notifications. Off, it takes itself out of each browser that comes by, with everything that it kept.',
    shipped: true,
    inPages: true,
    ...flag(),
  },
  [notificationsSetting]: {
    group: 'Pages',
    label: 'Notifications',
    about:
      'Whether people may have their browsers notified when a reply is ready. They go, encrypted, through the push service of the browser’s maker. Needs the installed app.',
    shipped: true,
    inPages: true,
    ...flag(),
  },
});
