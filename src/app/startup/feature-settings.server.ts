import { describeSettings, setAvailability } from '#platform/settings/setting-definitions.server.ts';
import { features } from '../features.ts';
import { pageSettings } from './page-settings.server.ts';

/** Must run before settings are read, because undescribed settings are ignored. */
export function describeFeatureSettings(): void {
  describeSettings(pageSettings());
  for (const { settings } of features) if (settings) describeSettings(settings());
  for (const { available = {} } of features)
    for (const [name, isAvailable] of Object.entries(available)) setAvailability(name, isAvailable);
}
