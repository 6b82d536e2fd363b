import type { FeatureModule } from '#platform/feature-module.server.ts';
import { textsApi } from './api.server.ts';
import { textsExportEntries } from './export-entries.server.ts';
import { registerTextJobs } from './jobs.server.ts';
import { deleteTextsOf } from './privacy-store.server.ts';

export const textsFeature = {
  api: [textsApi],
  jobs: [registerTextJobs],
  erase: async (tx, userId) => {
    await deleteTextsOf(tx, userId);
    return [];
  },
  exportEntries: textsExportEntries,
} satisfies FeatureModule;
