import { describeSettings } from '#platform/settings/setting-definitions.server.ts';
import { features } from '../features.ts';

/** Before settings are read: of one that nobody has described nothing is taken. */
export function describeFeatureSettings(): void {
  for (const { settings } of features) if (settings) describeSettings(settings());
}
