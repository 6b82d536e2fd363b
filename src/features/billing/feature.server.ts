import type { FeatureModule } from '#platform/feature-module.server.ts';
import { billingApi } from './api.server.ts';
import { billingExportEntries } from './export-entries.server.ts';
import { billingInvariants } from './invariants.server.ts';
import { registerBillingJobs } from './jobs.server.ts';
import { erasePerson } from './privacy.server.ts';

export const billingFeature = {
  api: [billingApi],
  jobs: [registerBillingJobs],
  erase: async (tx, userId) => {
    await erasePerson(tx, userId);
    return [];
  },
  invariants: billingInvariants,
  exportEntries: billingExportEntries,
} satisfies FeatureModule;
