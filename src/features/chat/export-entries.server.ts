import { z } from 'zod';
import { failureText } from '#features/generations/service.server.ts';
import { type ExportEntries, type ExportFile, storedBytes } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { extensionOf } from '#shared/file-name.ts';
import { slugOf } from '#shared/slug.ts';
import {
  type AttachmentRow,
  attachmentsAfter,
  textType,
  visibleAttachment,
} from './attachments/attachment-store.server.ts';
import { describeLeftOut } from './attachments/left-out.server.ts';
import { chatFileName, chatMarkdown, imageIdsOf } from './chat-export.server.ts';
import { assistantsToExport } from './own-assistants/own-assistants-store.server.ts';
import { type ChatExport, exportChats } from './privacy.server.ts';
import { projectsToExport } from './projects/projects-store.server.ts';

const ATTACHMENTS = 50;
const time = z.iso.datetime();

const message = z.object({
  id: z.uuid(),
  parentId: z.uuid().nullable().describe('The message that this one follows; siblings are branches'),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  createdAt: time,
  generationId: z.uuid().nullable(),
  state: z.string(),
  finishReason: z.string().nullable(),
  error: z.string().nullable(),
  creditsCharged: z.int(),
  model: z.string().nullable(),
  answeredBy: z.string().nullable().describe('In place of model, where the gateway fell back to another'),
  thinking: z.string().nullable().describe('What the model thought before it replied'),
  thoughtMs: z.int().nullable(),
  web: z
    .object({
      state: z.enum(['searching', 'found', 'nothing', 'failed']),
      queries: z.array(z.string()),
      sources: z.array(z.object({ url: z.url(), title: z.string(), date: z.string().nullable() })),
    })
    .nullable()
    .describe('The search of the web that was made for it, with its sources in the order of their numbers'),
  takenOver: z.int().describe('UTF-16 units at the start that come from the reply that this one continues'),
  rating: z
    .object({ good: z.boolean(), reason: z.string().nullable() })
    .nullable()
    .describe('What you thought of the reply'),
  leftOut: z.int().describe('Messages at the start that did not fit into its request'),
  filesLeftOut: z
    .array(z.object({ name: z.string(), percent: z.int().describe('Of its text that did') }))
    .describe('Files of its project that did not fit as a whole'),
  assistantName: z.string().nullable().describe('Of your own assistant, where one replied'),
  attachmentIds: z.array(z.uuid()),
  imageIds: z.array(z.uuid()).describe('Pictures that a reply shows; see images'),
});

async function* exportedMessages(chat: ChatExport) {
  for await (const row of chat.messages())
    yield {
      ...row,
      state: row.state ?? 'done',
      error: failureText(row.error_message),
      creditsCharged: row.credits_charged ?? 0,
      imageIds: imageIdsOf(row),
      filesLeftOut: row.files_left_out ?? [],
    };
}

function attachmentFileName({ id, name, type, created_at }: AttachmentRow): string {
  const ownExtension = type === textType ? /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase() : undefined;
  const slug = slugOf(
    name.replace(ownExtension ? /\.\w+$/ : /\.(pdf|docx|xlsx|epub|jpe?g|png|webp|hei[cf])$/i, ''),
    'file',
  );
  return `files/${created_at.toISOString().slice(0, 10)}-${slug}-${id}.${ownExtension ?? extensionOf(type)}`;
}

/** Returns a file that is in a chat, a project or an own assistant, or not yet sent. */
export async function attachmentFile({ actor, input }: ActorInput<{ id: string }>): Promise<ExportFile> {
  const row = requireFound(await visibleAttachment(database(), actor.userId, requireUuid(input.id)));
  return { name: attachmentFileName(row), content: storedBytes(row.file_key) };
}

const everyAttachment = ({ userId }: UserActor) =>
  everyRow<AttachmentRow>(ATTACHMENTS, (last, limit) =>
    attachmentsAfter(database(), { userId, after: last?.id ?? null, limit }),
  );

export const chatExportEntries = {
  json: {
    chats: {
      schema: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          assistant: z.string(),
          ownAssistantId: z.uuid().nullable().describe('Answers in its place'),
          model: z.string().nullable().describe('That was chosen for it; null: the first of the site'),
          comparedModel: z.string().nullable().describe('That answers beside it; null: none'),
          createdAt: time,
          updatedAt: time,
          deletedAt: time.nullable().describe('Set while a deleted chat waits to be erased'),
          pinnedAt: time
            .nullable()
            .describe('Set while it stands above the other chats, or would without archivedAt'),
          archivedAt: time.nullable().describe('Set while it is out of the list'),
          projectId: z.uuid().nullable(),
          shownId: z.uuid().nullable().describe('The end of the branch that is shown'),
          messages: z.array(message).describe('All branches, in the order of their writing'),
        }),
      ),
      async *read(actor: UserActor) {
        for await (const chat of exportChats(actor)) yield { ...chat, messages: exportedMessages(chat) };
      },
    },
    projects: {
      schema: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          instructions: z.string().describe('Sent with every message of its chats'),
          fileIds: z.array(z.uuid()).describe('Attachments that every reply in its chats is given'),
          createdAt: time,
          updatedAt: time,
          deletedAt: time.nullable().describe('Set while a deleted project waits to be erased'),
        }),
      ),
      async *read({ userId }: UserActor) {
        yield* await projectsToExport(database(), userId);
      },
    },
    assistants: {
      schema: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          about: z.string(),
          instruction: z.string(),
          model: z
            .string()
            .nullable()
            .describe('That a chat uses from when the assistant is chosen; null leaves it'),
          fileIds: z.array(z.uuid()).describe('Attachments that each of its replies is given'),
          createdAt: time,
          updatedAt: time,
          deletedAt: time.nullable().describe('Set while a deleted assistant waits to be erased'),
        }),
      ),
      async *read({ userId }: UserActor) {
        yield* await assistantsToExport(database(), userId);
      },
    },
    attachments: {
      schema: z
        .array(
          z.object({
            id: z.uuid(),
            name: z.string(),
            type: z.string(),
            bytes: z.int(),
            createdAt: time,
            file: z.string().describe('Path in this archive'),
            text: z.string().nullable().describe('What of a document goes to the model'),
            note: z.string().nullable(),
          }),
        )
        .describe(
          'Files that were put to messages, projects or assistants; of a picture what was made of it for the model',
        ),
      async *read(actor: UserActor) {
        for await (const row of everyAttachment(actor))
          yield { ...row, file: attachmentFileName(row), note: describeLeftOut(row) };
      },
    },
  },
  async *files(actor: UserActor) {
    for await (const chat of exportChats(actor))
      if (!chat.deleted_at) yield { name: `chats/${chatFileName(chat, 'md')}`, content: chatMarkdown(chat) };
    for await (const row of everyAttachment(actor))
      yield { name: attachmentFileName(row), content: storedBytes(row.file_key) };
  },
} satisfies ExportEntries;
