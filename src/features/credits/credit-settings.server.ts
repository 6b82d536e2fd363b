import type { SettingDefinition } from '#platform/settings/setting-definitions.server.ts';
import { flag, number } from '#platform/settings/setting-kinds.server.ts';
import {
  centsSetting,
  type Feature,
  features,
  featureTable,
  offeredSetting,
  planDurations,
  priceTable,
  shippedCents,
  shippedTools,
} from './contract.ts';

type Described = Record<string, SettingDefinition>;

function ofTool(feature: Feature): Described {
  const { price, free, counted, fairUse } = shippedTools[feature];
  const { name, page } = featureTable[feature];
  const described: Described = {};
  if ((page && feature !== 'chat') || feature === 'completion')
    described[offeredSetting(feature)] = {
      group: 'Tools',
      label: name,
      about:
        'Whether it is offered. Switched off it is in no menu and on no map, and begins nothing; what runs ends, and what people made stays theirs.',
      shipped: true,
      inPages: true,
      ...flag(),
    };
  // A request of the API has the price and the fair use of a chat message.
  if (counted && feature !== 'completion')
    described[`tool.${feature}.price`] = {
      group: 'Prices',
      label: `${name}: price`,
      about: 'Credits that one costs on the free plan. What runs already keeps the price of its start.',
      shipped: price,
      inPages: true,
      ...number({ min: 1, max: 10_000, unit: 'credits' }),
    };
  // Of the tools that Pro has alone; a question of a document follows the document.
  if (!free && feature !== 'question')
    described[`tool.${feature}.free`] = {
      group: 'Prices',
      label: `${name}: on the free plan`,
      about: 'Whether people without Pro may use it, for credits.',
      shipped: free,
      inPages: true,
      ...flag(),
    };
  // That of chat is a variable of the environment too.
  if (fairUse !== undefined && feature !== 'chat' && feature !== 'completion')
    described[`limits.fairUse.${feature}`] = {
      group: 'Limits',
      label: `Fair use, ${name}`,
      about: 'Runs a UTC day on an unlimited plan.',
      shipped: fairUse,
      ...number({ min: 1, max: 1_000_000, unit: 'a day' }),
    };
  return described;
}

const ofPlans: Described = {
  'credits.welcome': {
    group: 'Prices',
    label: 'Welcome credits',
    about: 'Credits at the first sign-in, once a person. Who has theirs keeps them.',
    shipped: 10,
    inPages: true,
    ...number({ min: 1, max: 100_000, unit: 'credits' }),
  },
  'plan.free.chatsPerDay': {
    group: 'Prices',
    label: 'New conversations on the free plan',
    about: 'How many a person may begin in a UTC day.',
    shipped: 3,
    inPages: true,
    ...number({ min: 1, max: 100_000, unit: 'a day' }),
  },
  ...Object.fromEntries(
    planDurations.map((plan): [string, SettingDefinition] => [
      centsSetting(plan),
      {
        group: 'Prices',
        label: `Pro, ${priceTable[plan].period}`,
        about:
          'What Pro costs for the period, in US cents. The product at the payment provider must cost the same (npm run doctor compares them). Who bought at another price keeps it.',
        shipped: shippedCents[plan],
        inPages: true,
        ...number({ min: 50, max: 10_000_000, unit: 'US cents' }),
      },
    ]),
  ),
};

/** In English: the operator reads them. */
export const creditSettings = (): Described => ({
  ...ofPlans,
  ...Object.assign({}, ...features.map(ofTool)),
});
