import type { FeatureModule } from '#platform/feature-module.server.ts';
import { sharesApi } from './api.server.ts';
import { sharesExportEntries } from './export-entries.server.ts';
import { registerShareJobs } from './jobs.server.ts';
import { deleteReportsOf } from './reports-store.server.ts';
import { sharedImageApi } from './shared-image-api.server.ts';
import { deleteSharesOf } from './store.server.ts';

export const sharesFeature = {
  api: [sharesApi, sharedImageApi],
  jobs: [registerShareJobs],
  erase: async (tx, userId) => {
    await deleteReportsOf(tx, userId);
    await deleteSharesOf(tx, userId);
    return [];
  },
  exportEntries: sharesExportEntries,
} satisfies FeatureModule;
