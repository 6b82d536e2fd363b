import type { FeatureModule } from '#platform/feature-module.server.ts';
import { importsApi } from './api.server.ts';
import { importsExportEntries } from './export-entries.server.ts';
import { importsInvariants } from './invariants.server.ts';
import { registerImportJobs } from './jobs.server.ts';
import { partMismatches } from './service.server.ts';
import { deleteImportsOf, partKeys } from './store.server.ts';

export const importsFeature = {
  api: [importsApi],
  jobs: [registerImportJobs],
  erase: deleteImportsOf,
  fileKeys: partKeys,
  fileMismatches: partMismatches,
  exportEntries: importsExportEntries,
  invariants: importsInvariants,
} satisfies FeatureModule;
