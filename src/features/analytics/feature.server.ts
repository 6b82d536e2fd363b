import type { FeatureModule } from '#platform/feature-module.server.ts';
import { registerAnalyticsJobs } from './jobs.server.ts';

export const analyticsFeature = {
  jobs: [registerAnalyticsJobs],
} satisfies FeatureModule;
