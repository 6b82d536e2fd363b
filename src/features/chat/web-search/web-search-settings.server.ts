import { config } from '#platform/config/config.server.ts';
import type { SettingDefinition } from '#platform/settings/setting-definitions.server.ts';
import { flag, number } from '#platform/settings/setting-kinds.server.ts';
import { settingOr } from '#shared/settings.ts';

const shipped = { on: true, results: 6, costUsd: 5 };

export const webSearchSettings: Readonly<Record<string, SettingDefinition>> = {
  'web.on': {
    group: 'Tools',
    label: 'Web search in chat',
    about:
      'Whether people can have the web searched for a message, where WEB_SEARCH names who searches. Off, the switch disappears and nothing new is searched; sources that were found stay.',
    shipped: shipped.on,
    ...flag(),
  },
  'web.results': {
    group: 'Limits',
    label: 'Sources of a web search',
    about: 'Most sources of one message. Each is some 200 tokens of what is sent to the model.',
    shipped: shipped.results,
    ...number({ min: 1, max: 20, unit: 'sources' }),
  },
  'web.cost': {
    group: 'Models',
    label: 'Cost of web search',
    about:
      'What a thousand searches cost, in US dollars, where the gateway does not say it with the call; it counts for the cap of a day. 0 for a SearXNG of your own.',
    shipped: shipped.costUsd,
    ...number({ min: 0, max: 10_000, unit: 'US dollars', fractions: true }),
  },
};

export const offersWebSearch = (): boolean =>
  config().WEB_SEARCH !== undefined && settingOr('web.on', shipped.on);

export const mostSources = (): number => settingOr('web.results', shipped.results);

/** Cost of one search, in millionths of a US dollar. */
export const searchCostMicros = (): number => Math.ceil(settingOr('web.cost', shipped.costUsd) * 1_000);
