import type { Tool } from '#features/generations/service.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';
import { analysisTool } from './analysis-tool.server.ts';
import { documentsApi } from './api.server.ts';
import { documentMismatches } from './cleanup.server.ts';
import { pdfsExportEntries } from './export-entries.server.ts';
import { registerDocumentJobs } from './jobs.server.ts';
import { questionTool } from './question-tool.server.ts';
import { deleteDocumentsOf, documentKeys } from './store.server.ts';

export const pdfsFeature = {
  api: [documentsApi],
  jobs: [registerDocumentJobs],
  tools: [analysisTool, questionTool],
  erase: deleteDocumentsOf,
  fileKeys: documentKeys,
  fileMismatches: documentMismatches,
  exportEntries: pdfsExportEntries,
} satisfies FeatureModule<Tool<never>>;
