import type { Tool } from '#features/generations/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { FeatureModule } from '#platform/feature-module.server.ts';
import { chatApi } from './api.server.ts';
import { findMismatches } from './attachments/attachment-cleanup.server.ts';
import { attachmentKeys } from './attachments/attachment-store.server.ts';
import { chatExportEntries } from './export-entries.server.ts';
import { registerChatJobs } from './jobs.server.ts';
import { knowledgeOwners } from './knowledge/knowledge-store.server.ts';
import { comparedReplies } from './messages/compared-replies-invariants.server.ts';
import { drawnReplies } from './messages/drawn-replies-invariants.server.ts';
import { replyTool } from './messages/reply-tool.server.ts';
import { ownAssistantsApi } from './own-assistants/own-assistants-api.server.ts';
import { erasePerson } from './privacy.server.ts';
import { projectsApi } from './projects/projects-api.server.ts';
import { projectOwners } from './projects/projects-store.server.ts';
import { titleTool } from './title-tool.server.ts';
import { chatInvariants } from './web-search/web-search-invariants.server.ts';
import { webSearchSettings } from './web-search/web-search-settings.server.ts';

export const chatFeature = {
  api: [chatApi, projectsApi, ownAssistantsApi],
  jobs: [registerChatJobs],
  tools: [replyTool, titleTool],
  erase: erasePerson,
  fileKeys: attachmentKeys,
  fileMismatches: findMismatches,
  exportEntries: chatExportEntries,
  invariants: [...chatInvariants, projectOwners, comparedReplies, drawnReplies, knowledgeOwners],
  settings: () => webSearchSettings,
  available: { 'web.on': () => config().WEB_SEARCH !== undefined },
} satisfies FeatureModule<Tool<never>>;
