import type { FeatureModule } from '#platform/feature-module.server.ts';
import { blogApi } from './api.server.ts';

export const blogFeature = {
  api: [blogApi],
} satisfies FeatureModule;
