import type { FeatureModule } from '#platform/feature-module.server.ts';
import { devicesApi } from './api.server.ts';
import { devicesExportEntries } from './export-entries.server.ts';
import { registerDeviceJobs } from './jobs.server.ts';

export const devicesFeature = {
  api: [devicesApi],
  jobs: [registerDeviceJobs],
  exportEntries: devicesExportEntries,
} satisfies FeatureModule;
