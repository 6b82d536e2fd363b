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
      'Whether people can turn on web search for a message; WEB_SEARCH sets the provider. When off, the switch disappears and nothing new is searched. Sources already found stay.',
    shipped: shipped.on,
    ...flag(),
  },
  'web.results': {
    group: 'Limits',
    label: 'Sources per web search',
    about: 'The most sources per message. Each adds about 200 tokens to what is sent to the model.',
    shipped: shipped.results,
    ...number({ min: 1, max: 20, unit: 'sources' }),
  },
  'web.cost': {
    group: 'Models',
    label: 'Web search cost',
    about:
      'Cost of 1,000 searches in US dollars, if the gateway does not report it with the call. It counts toward the daily cap. 0 for your own SearXNG.',
    shipped: shipped.costUsd,
    ...number({ min: 0, max: 10_000, unit: 'US dollars', fractions: true }),
  },
};

export const offersWebSearch = (): boolean =>
  config().WEB_SEARCH !== undefined && settingOr('web.on', shipped.on);

export const maxSources = (): number => settingOr('web.results', shipped.results);

/** Cost of one search, in millionths of a US dollar. */
export const searchCostMicros = (): number => Math.ceil(settingOr('web.cost', shipped.costUsd) * 1_000);
