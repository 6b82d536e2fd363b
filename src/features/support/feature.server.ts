import type { FeatureModule } from '#platform/feature-module.server.ts';
import { newsletterApi } from './api.server.ts';
import { deleteContactMessages } from './contact/message-store.server.ts';
import { supportExportEntries } from './export-entries.server.ts';
import { supportInvariants } from './invariants.server.ts';
import { registerSupportJobs } from './jobs.server.ts';
import { eraseNewsletterData } from './privacy.server.ts';

export const supportFeature = {
  api: [newsletterApi],
  jobs: [registerSupportJobs],
  async erase(tx, userId) {
    await deleteContactMessages(tx, userId);
    await eraseNewsletterData(tx, userId);
    return [];
  },
  invariants: supportInvariants,
  exportEntries: supportExportEntries,
} satisfies FeatureModule;
