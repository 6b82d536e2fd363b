import type { FeatureModule } from '#platform/feature-module.server.ts';
import { accountsApi } from './api.server.ts';
import { apiKeysApi } from './api-keys/api-keys-api.server.ts';
import { apiKeysInvariants } from './api-keys/api-keys-invariants.server.ts';
import { deleteKeysOf } from './api-keys/api-keys-store.server.ts';
import { erasePerson } from './deletion/deletion-store.server.ts';
import { accountsExportEntries } from './export-entries.server.ts';
import { instructionsApi } from './instructions/instructions-api.server.ts';
import { deleteInstructions } from './instructions/instructions-store.server.ts';
import { deleteNotesOf } from './instructions/memory-store.server.ts';
import { registerAccountJobs } from './jobs.server.ts';
import { oauthApi } from './oauth/oauth-api.server.ts';
import { profileApi } from './profile/profile-api.server.ts';

export const accountsFeature = {
  api: [accountsApi, oauthApi, profileApi, instructionsApi, apiKeysApi],
  jobs: [registerAccountJobs],
  erase: async (tx, userId) => {
    await deleteInstructions(tx, userId);
    await deleteNotesOf(tx, userId);
    await deleteKeysOf(tx, userId);
    await erasePerson(tx, userId);
    return [];
  },
  exportEntries: accountsExportEntries,
  invariants: apiKeysInvariants,
} satisfies FeatureModule;
