import type { FeatureModule } from '#platform/feature-module.server.ts';
import { libraryApi } from './api.server.ts';
import { libraryExportEntries } from './export-entries.server.ts';
import { deleteTagsOf, tagsOfItems } from './tags/tags-store.server.ts';

export const libraryFeature = {
  api: [libraryApi],
  erase: async (tx, userId) => {
    await deleteTagsOf(tx, userId);
    return [];
  },
  exportEntries: libraryExportEntries,
  invariants: [tagsOfItems],
} satisfies FeatureModule;
