import type { Tool } from '#features/generations/service.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';
import { scriptApi } from './api.server.ts';
import { scriptTool } from './service.server.ts';

export const scriptFeature = { api: [scriptApi], tools: [scriptTool] } satisfies FeatureModule<Tool<never>>;
