import { accountsFeature } from '#features/accounts/feature.server.ts';
import { analyticsFeature } from '#features/analytics/feature.server.ts';
import { billingFeature } from '#features/billing/feature.server.ts';
import { blogFeature } from '#features/blog/feature.server.ts';
import { chatFeature } from '#features/chat/feature.server.ts';
import { creditsFeature } from '#features/credits/feature.server.ts';
import { devicesFeature } from '#features/devices/feature.server.ts';
import { dictationFeature } from '#features/dictation/feature.server.ts';
import { generationsFeature } from '#features/generations/feature.server.ts';
import type { Tool } from '#features/generations/service.server.ts';
import { imagesFeature } from '#features/images/feature.server.ts';
import { importsFeature } from '#features/imports/feature.server.ts';
import { libraryFeature } from '#features/library/feature.server.ts';
import { openaiFeature } from '#features/openai/feature.server.ts';
import { pdfsFeature } from '#features/pdfs/feature.server.ts';
import { promptsFeature } from '#features/prompts/feature.server.ts';
import { scriptFeature } from '#features/script/feature.server.ts';
import { sharesFeature } from '#features/shares/feature.server.ts';
import { supportFeature } from '#features/support/feature.server.ts';
import { textsFeature } from '#features/texts/feature.server.ts';
import { writerFeature } from '#features/writer/feature.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';

/**
 * In the order in which an account is erased: results before the runs that made them, and the account last, because its
 * email address is needed to find other rows.
 */
export const features: readonly FeatureModule<Tool<never>>[] = [
  devicesFeature,
  sharesFeature,
  importsFeature,
  libraryFeature,
  chatFeature,
  textsFeature,
  writerFeature,
  scriptFeature,
  imagesFeature,
  pdfsFeature,
  openaiFeature,
  dictationFeature,
  generationsFeature,
  promptsFeature,
  blogFeature,
  creditsFeature,
  billingFeature,
  supportFeature,
  analyticsFeature,
  accountsFeature,
];
