import { z } from 'zod';
import { billingSchema } from './billing-schema.server.ts';
import { newsletterSchema } from './newsletter.server.ts';

const time = z.iso.datetime();

/** `export.json` of a person's archive; `schema.json` beside it is made from this. */
export const exportSchema = z.object({
  schema: z.literal('schema.json'),
  version: z.literal(1),
  exportedAt: time,
  account: z.object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    plan: z.enum(['free', 'pro', 'business']),
    credits: z.int(),
    createdAt: time,
    signInWith: z.array(z.string()).describe('Ways to sign in: email, and providers that were used'),
    avatar: z.literal('files/avatar.webp').nullable().describe('Path in this archive'),
  }),
  sessions: z.array(
    z.object({
      id: z.uuid(),
      createdAt: time,
      lastSeenAt: time,
      userAgent: z.string(),
      current: z.boolean(),
    }),
  ),
  chats: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      assistant: z.string(),
      createdAt: time,
      updatedAt: time,
      deletedAt: time.nullable().describe('Set while a deleted chat waits to be erased'),
      messages: z
        .array(
          z.object({
            id: z.uuid(),
            parentId: z
              .uuid()
              .nullable()
              .describe('The message that this one follows; siblings are branches'),
            role: z.enum(['user', 'assistant']),
            content: z.string(),
            createdAt: time,
            generationId: z.uuid().nullable(),
            state: z.string(),
            finishReason: z.string().nullable(),
            error: z.string().nullable(),
            creditsCharged: z.int(),
            model: z.string().nullable(),
            takenOver: z
              .int()
              .describe('UTF-16 units at the start that come from the reply that this one continues'),
            leftOut: z.int().describe('Messages at the start that did not fit into its request'),
            attachmentId: z.uuid().nullable(),
          }),
        )
        .describe('All branches, in the order of their writing'),
    }),
  ),
  attachments: z
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
    .describe('Files that were put to messages; of a picture what was made of it for the model'),
  works: z
    .array(
      z.object({
        id: z.uuid(),
        tool: z.enum(['writer', 'script']),
        title: z.string(),
        createdAt: time,
        updatedAt: time,
        deletedAt: time.nullable().describe('Set while a deleted work waits to be erased'),
        file: z.string().nullable().describe('Path of its newest text in this archive'),
        versions: z.array(
          z.object({
            id: z.uuid(),
            kind: z.enum(['generated', 'edited', 'refined', 'restored']),
            settings: z.unknown().describe('What it was asked for'),
            content: z.string(),
            note: z.string().nullable(),
            createdAt: time,
            generationId: z.uuid().nullable(),
          }),
        ),
      }),
    )
    .describe('What was written with the tools'),
  documents: z
    .array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        bytes: z.int(),
        pages: z.int(),
        pagesRead: z.int(),
        note: z.string().nullable(),
        createdAt: time,
        deletedAt: time.nullable().describe('Set while a deleted document waits to be erased'),
        file: z.string().describe('Path in this archive'),
        runs: z.array(
          z.object({
            generationId: z.uuid(),
            kind: z.enum(['analysis', 'question']),
            question: z.string().nullable(),
            result: z.unknown().describe('What was found, with its quotes and their places'),
            createdAt: time,
          }),
        ),
      }),
    )
    .describe(
      'Files of the PDF Analyzer, the newest analysis, the newest whole one and the questions of each',
    ),
  prompts: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      description: z.string(),
      content: z.string(),
      category: z.string(),
      state: z.string().describe('private, pending, approved, rejected, or withdrawn by the operator'),
      reason: z.string().nullable(),
      likes: z.int(),
      createdAt: time,
      updatedAt: time,
      deletedAt: time.nullable().describe('Set while a deleted prompt waits to be erased'),
    }),
  ),
  likedPrompts: z.array(
    z.object({
      promptId: z.uuid(),
      title: z.string().nullable().describe('null for one that has left the library'),
      createdAt: time,
    }),
  ),
  usedPrompts: z.array(
    z.object({
      promptId: z.uuid(),
      title: z.string().nullable().describe('null for one that has left the library'),
      createdAt: time.describe('When you first used it'),
      stars: z.int().nullable().describe('Your rating, 1 to 5'),
      ratedAt: time.nullable(),
    }),
  ),
  reportedPrompts: z.array(z.object({ promptId: z.uuid(), reason: z.string(), createdAt: time })),
  supportMessages: z
    .array(
      z.object({
        reference: z.string(),
        about: z.string(),
        name: z.string(),
        email: z.string(),
        message: z.string(),
        createdAt: time,
        doneAt: time.nullable().describe('When it was seen to; it is erased 24 months later'),
      }),
    )
    .describe('What was sent to support while signed in'),
  images: z
    .array(
      z.object({
        id: z.uuid(),
        prompt: z.string(),
        size: z.string(),
        count: z.int().describe('Pictures that were asked for'),
        model: z.string(),
        createdAt: time,
        deletedAt: time.nullable().describe('Set while a deleted request waits to be erased'),
        pictures: z.array(
          z.object({
            id: z.uuid(),
            width: z.int(),
            height: z.int(),
            bytes: z.int(),
            createdAt: time,
            deletedAt: time.nullable(),
            file: z.string().describe('Path in this archive'),
          }),
        ),
      }),
    )
    .describe('Requests for pictures and what was made'),
  generations: z.array(
    z.object({
      id: z.uuid(),
      feature: z.string(),
      state: z.string(),
      createdAt: time,
      finishedAt: time.nullable(),
      creditsCharged: z.int(),
      finishReason: z.string().nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      text: z.string().nullable().describe('null for chat replies, whose text is the message'),
      result: z.unknown(),
    }),
  ),
  ledger: z.array(
    z.object({
      id: z.int(),
      createdAt: time,
      kind: z.string(),
      delta: z.int(),
      feature: z.string().nullable(),
      reason: z.string(),
    }),
  ),
  billing: billingSchema,
  newsletter: newsletterSchema,
});

export type Export = z.infer<typeof exportSchema>;
type Lists = Exclude<keyof Export, 'schema' | 'version' | 'exportedAt' | 'account' | 'sessions'>;
type RowOf<K extends Exclude<Lists, 'billing' | 'newsletter'>> = Export[K][number];
export type ExportedMessage = RowOf<'chats'>['messages'][number];
export type ExportedChat = Omit<RowOf<'chats'>, 'messages'>;
export type ExportedAttachment = RowOf<'attachments'>;
export type ExportedVersion = RowOf<'works'>['versions'][number];
export type ExportedWork = Omit<RowOf<'works'>, 'versions'>;
export type ExportedDocument = RowOf<'documents'>;
export type ExportedPrompt = RowOf<'prompts'>;
export type ExportedLike = RowOf<'likedPrompts'>;
export type ExportedUse = RowOf<'usedPrompts'>;
export type ExportedReport = RowOf<'reportedPrompts'>;
export type ExportedSupportMessage = RowOf<'supportMessages'>;
export type ExportedImages = RowOf<'images'>;
export type ExportedGeneration = RowOf<'generations'>;
export type ExportedEntry = RowOf<'ledger'>;
/** What stands before the lists, which are written row by row. */
export type ExportHead = Omit<Export, Lists>;

/** The JSON Schema (2020-12) of `export.json`. */
export function exportJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(exportSchema), null, 2)}\n`;
}
