import type { SettingDefinition } from '#platform/settings/setting-definitions.server.ts';
import { flag, models, number } from '#platform/settings/setting-kinds.server.ts';
import { chatModelsSetting } from '#shared/chat-models.ts';
import {
  centsSetting,
  type Feature,
  features,
  featureTable,
  offeredSetting,
  planDurations,
  priceTable,
  shippedCents,
  shippedFree,
  shippedTools,
} from './contract.ts';
import { shippedWebPrice, webPriceSetting } from './service.server.ts';

type Definitions = Record<string, SettingDefinition>;

function toolSettings(feature: Feature): Definitions {
  const { price, free, counted, fairUse } = shippedTools[feature];
  const { name, page } = featureTable[feature];
  const definitions: Definitions = {};
  if ((page && feature !== 'chat') || feature === 'completion')
    definitions[offeredSetting(feature)] = {
      group: 'Tools',
      label: name,
      about:
        'Whether people can use it. Off, it disappears from menus and sitemaps and nothing new starts. Runs in progress finish, and people keep what they made.',
      shipped: true,
      inPages: true,
      ...flag(),
    };
  // An API request has the price and the fair use of a chat message.
  if (counted && feature !== 'completion')
    definitions[`tool.${feature}.price`] = {
      group: 'Prices',
      label: `${name}: price`,
      about: 'Credits each one costs on the free plan. Runs in progress keep the price they started at.',
      shipped: price,
      inPages: true,
      ...number({ min: feature === 'dictation' ? 0 : 1, max: 10_000, unit: 'credits' }),
    };
  // Only for tools that are reserved for Pro; a question follows its document.
  if (!free && feature !== 'question')
    definitions[`tool.${feature}.free`] = {
      group: 'Prices',
      label: `${name}: on the free plan`,
      about: 'Whether people without Pro can use it for credits.',
      shipped: free,
      inPages: true,
      ...flag(),
    };
  // The limit of chat is FAIR_USE_CHAT, which can also be set by an environment variable.
  if (fairUse !== undefined && feature !== 'chat' && feature !== 'completion')
    definitions[`limits.fairUse.${feature}`] = {
      group: 'Limits',
      label: `Fair use, ${name}`,
      about:
        feature === 'dictation'
          ? 'Recordings per UTC day on an unlimited plan, and of everyone where the price is 0.'
          : 'Runs per UTC day on an unlimited plan.',
      shipped: fairUse,
      ...number({ min: 1, max: 1_000_000, unit: 'a day' }),
    };
  return definitions;
}

const webSearchSettings: Definitions = {
  [webPriceSetting]: {
    group: 'Prices',
    label: 'Web search: price',
    about:
      'Extra credits for a message with web search on the free plan. If no sources are found, they are refunded.',
    shipped: shippedWebPrice,
    ...number({ min: 0, max: 10_000, unit: 'credits' }),
  },
};

const planSettings: Definitions = {
  'credits.welcome': {
    group: 'Prices',
    label: 'Welcome credits',
    about: 'Credits a new person gets once, at their first sign-in. Credits already given stay.',
    shipped: shippedFree.welcomeCredits,
    inPages: true,
    ...number({ min: 1, max: 100_000, unit: 'credits' }),
  },
  'plan.free.chatsPerDay': {
    group: 'Prices',
    label: 'New chats on the free plan',
    about: 'How many a person can start per UTC day.',
    shipped: shippedFree.chatsPerDay,
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
          'Price of Pro for the period, in US cents. The product at the payment provider must cost the same (npm run doctor compares them). People who bought at another price keep it.',
        shipped: shippedCents[plan],
        inPages: true,
        ...number({ min: 50, max: 10_000_000, unit: 'US cents' }),
      },
    ]),
  ),
};

const modelSettings: Definitions = {
  [chatModelsSetting]: {
    group: 'Models',
    label: 'Models in chat',
    about:
      'Models people can choose in chat and over the API, one per line: ID | NAME | WHAT IT IS GOOD FOR | OPTIONS. The ID is the one the gateway uses. Options, separated by commas: images (it can see them), thinks, pro (not on the free plan), 5 credits (per message; otherwise the price of chat), context 128000 (tokens per request), fallback ID (up to 3, tried instead by gateways with OpenRouter’s protocol). The first model answers when nobody has chosen one, for everyone and at the price of chat. With one line or none, people see no choice.',
    shipped: [],
    inPages: true,
    ...models(),
  },
};

/** In English, because only the operator reads them. */
export const creditSettings = (): Definitions => ({
  ...modelSettings,
  ...planSettings,
  ...Object.assign({}, ...features.map(toolSettings)),
  ...webSearchSettings,
});
