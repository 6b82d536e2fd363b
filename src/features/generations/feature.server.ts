import type { FeatureModule } from '#platform/feature-module.server.ts';
import { generationsApi } from './api.server.ts';
import { generationsExportEntries } from './export-entries.server.ts';
import { generationsInvariants } from './invariants.server.ts';
import { registerGenerationJobs } from './jobs.server.ts';
import { erasePerson, stopAllRuns } from './privacy.server.ts';

export const generationsFeature = {
  api: [generationsApi],
  jobs: [registerGenerationJobs],
  onAccountDeleted: stopAllRuns,
  erase: async (tx, userId) => {
    await erasePerson(tx, userId);
    return [];
  },
  invariants: generationsInvariants,
  exportEntries: generationsExportEntries,
} satisfies FeatureModule;
