import type { Tool } from '#features/generations/service.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';
import { openaiApi } from './api.server.ts';
import { completionTool } from './completion-tool.server.ts';
import { registerApiJobs } from './jobs.server.ts';

export const openaiFeature = {
  api: [openaiApi],
  jobs: [registerApiJobs],
  tools: [completionTool],
} satisfies FeatureModule<Tool<never>>;
