import type { FeatureModule } from '#platform/feature-module.server.ts';
import { creditsApi } from './api.server.ts';
import { creditSettings } from './credit-settings.server.ts';
import { creditsExportEntries } from './export-entries.server.ts';
import { creditsInvariants } from './invariants.server.ts';
import { registerCreditJobs } from './jobs.server.ts';

export const creditsFeature = {
  api: [creditsApi],
  jobs: [registerCreditJobs],
  invariants: creditsInvariants,
  exportEntries: creditsExportEntries,
  settings: creditSettings,
} satisfies FeatureModule;
