import { offeredSetting } from '#features/credits/contract.ts';
import type { Tool } from '#features/generations/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';
import { dictationApi } from './api.server.ts';
import { dictationSettings } from './dictation-settings.server.ts';
import { dictationTool } from './dictation-tool.server.ts';
import { registerDictationJobs } from './jobs.server.ts';

export const dictationFeature = {
  api: [dictationApi],
  jobs: [registerDictationJobs],
  tools: [dictationTool],
  settings: () => dictationSettings,
  available: { [offeredSetting('dictation')]: () => config().TRANSCRIPTION_MODEL !== undefined },
} satisfies FeatureModule<Tool<never>>;
