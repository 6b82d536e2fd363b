import type { Tool } from '#features/generations/service.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';
import { writerApi } from './api.server.ts';
import { writerTool } from './service.server.ts';

export const writerFeature = { api: [writerApi], tools: [writerTool] } satisfies FeatureModule<Tool<never>>;
