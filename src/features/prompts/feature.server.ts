import type { FeatureModule } from '#platform/feature-module.server.ts';
import { promptsApi } from './api.server.ts';
import { promptsExportEntries } from './export-entries.server.ts';
import { promptsInvariants } from './invariants.server.ts';
import { registerPromptJobs } from './jobs.server.ts';
import { deletePromptsOf } from './privacy-store.server.ts';

export const promptsFeature = {
  api: [promptsApi],
  jobs: [registerPromptJobs],
  erase: async (tx, userId) => {
    await deletePromptsOf(tx, userId);
    return [];
  },
  invariants: promptsInvariants,
  exportEntries: promptsExportEntries,
} satisfies FeatureModule;
