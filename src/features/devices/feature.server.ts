import type { FeatureModule } from '#platform/feature-module.server.ts';
import { devicesApi } from './api.server.ts';

export const devicesFeature = { api: [devicesApi] } satisfies FeatureModule;
