import { offeredSetting } from '#features/credits/contract.ts';
import type { Tool } from '#features/generations/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';
import { imagesApi } from './api.server.ts';
import { mismatches } from './cleanup.server.ts';
import { deleteOf, pictureKeys } from './cleanup-store.server.ts';
import { imagesExportEntries } from './export-entries.server.ts';
import { imageTool } from './image-tool.server.ts';
import { registerImageJobs } from './jobs.server.ts';

export const imagesFeature = {
  api: [imagesApi],
  jobs: [registerImageJobs],
  tools: [imageTool],
  erase: deleteOf,
  fileKeys: pictureKeys,
  fileMismatches: mismatches,
  exportEntries: imagesExportEntries,
  available: { [offeredSetting('image')]: () => config().IMAGE_MODEL !== '' },
} satisfies FeatureModule<Tool<never>>;
