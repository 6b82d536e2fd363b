import { z } from 'zod';
import { accountsExportEntries } from '#features/accounts/export-entries.server.ts';
import { billingExportEntries } from '#features/billing/export-entries.server.ts';
import { chatExportEntries } from '#features/chat/export-entries.server.ts';
import { creditsExportEntries } from '#features/credits/export-entries.server.ts';
import { devicesExportEntries } from '#features/devices/export-entries.server.ts';
import { generationsExportEntries } from '#features/generations/export-entries.server.ts';
import { imagesExportEntries } from '#features/images/export-entries.server.ts';
import { importsExportEntries } from '#features/imports/export-entries.server.ts';
import { libraryExportEntries } from '#features/library/export-entries.server.ts';
import { pdfsExportEntries } from '#features/pdfs/export-entries.server.ts';
import { promptsExportEntries } from '#features/prompts/export-entries.server.ts';
import { sharesExportEntries } from '#features/shares/export-entries.server.ts';
import { supportExportEntries } from '#features/support/export-entries.server.ts';
import { textsExportEntries } from '#features/texts/export-entries.server.ts';
import type { Person } from './people.ts';
import { unzip } from './zip.ts';

/** Schema of `export.json` in a person's archive. */
export const exportSchema = z.object({
  schema: z.literal('schema.json'),
  version: z.literal(1),
  exportedAt: z.iso.datetime(),
  account: accountsExportEntries.json.account.schema,
  instructions: accountsExportEntries.json.instructions.schema,
  memory: accountsExportEntries.json.memory.schema,
  apiKeys: accountsExportEntries.json.apiKeys.schema,
  sessions: accountsExportEntries.json.sessions.schema,
  notifications: devicesExportEntries.json.notifications.schema,
  shares: sharesExportEntries.json.shares.schema,
  imports: importsExportEntries.json.imports.schema,
  importedChats: importsExportEntries.json.importedChats.schema,
  tags: libraryExportEntries.json.tags.schema,
  importedItems: importsExportEntries.json.importedItems.schema,
  chats: chatExportEntries.json.chats.schema,
  projects: chatExportEntries.json.projects.schema,
  assistants: chatExportEntries.json.assistants.schema,
  attachments: chatExportEntries.json.attachments.schema,
  works: textsExportEntries.json.works.schema,
  documents: pdfsExportEntries.json.documents.schema,
  prompts: promptsExportEntries.json.prompts.schema,
  likedPrompts: promptsExportEntries.json.likedPrompts.schema,
  usedPrompts: promptsExportEntries.json.usedPrompts.schema,
  reportedPrompts: promptsExportEntries.json.reportedPrompts.schema,
  supportMessages: supportExportEntries.json.supportMessages.schema,
  images: imagesExportEntries.json.images.schema,
  generations: generationsExportEntries.json.generations.schema,
  ledger: creditsExportEntries.json.ledger.schema,
  billing: billingExportEntries.json.billing.schema,
  newsletter: supportExportEntries.json.newsletter.schema,
});

export type Export = z.infer<typeof exportSchema>;

/** Downloads the archive of a person's data. */
export async function downloadArchive(person: Pick<Person, 'get'>) {
  const response = await person.get('/api/me/export');
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const files = unzip(Buffer.from(await response.arrayBuffer()));
  const text = (name: string) => files.get(name)?.toString() ?? '';
  return { response, files, text, data: JSON.parse(text('export.json')) as Export };
}
