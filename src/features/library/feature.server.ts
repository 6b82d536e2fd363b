import type { FeatureModule } from '#platform/feature-module.server.ts';
import { libraryApi } from './api.server.ts';

export const libraryFeature = { api: [libraryApi] } satisfies FeatureModule;
