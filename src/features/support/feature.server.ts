import type { FeatureModule } from '#platform/feature-module.server.ts';
import { newsletterApi } from './api.server.ts';
import { registerContactJobs } from './contact/contact-jobs.server.ts';
import { deleteContactMessages } from './contact/contact-privacy-store.server.ts';
import { supportExportEntries } from './export-entries.server.ts';
import { supportInvariants } from './invariants.server.ts';
import { registerNewsletterJobs } from './jobs.server.ts';
import { eraseNewsletterData } from './privacy.server.ts';

export const supportFeature = {
  api: [newsletterApi],
  jobs: [registerContactJobs, registerNewsletterJobs],
  async erase(tx, userId) {
    await deleteContactMessages(tx, userId);
    await eraseNewsletterData(tx, userId);
    return [];
  },
  invariants: supportInvariants,
  exportEntries: supportExportEntries,
} satisfies FeatureModule;
