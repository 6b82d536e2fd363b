import type { SessionRow } from '../../features/accounts/contract.ts';
import { account, avatar } from '../../features/accounts/profile/service.server.ts';
import { listSessions } from '../../features/accounts/sessions/service.server.ts';
import {
  everyAttachment,
  type WholeAttachment,
} from '../../features/chat/attachments/person/service.server.ts';
import { chatMarkdown } from '../../features/chat/export/service.server.ts';
import { everyChat, type WholeChat } from '../../features/chat/person/service.server.ts';
import { everyEntry } from '../../features/credits/service.server.ts';
import { everyRun } from '../../features/generations/person/service.server.ts';
import { everyImageJob, type WholeImageJob } from '../../features/image/person/service.server.ts';
import { everyDocument } from '../../features/pdf/person/service.server.ts';
import {
  everyLike,
  everyPrompt,
  everyReport,
  everyUse,
} from '../../features/prompts/person/service.server.ts';
import { everyMessage } from '../../features/support/contact/person/service.server.ts';
import { everyWork, type WholeWork } from '../../features/works/person/service.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import type { ArchiveEntry } from './archive.server.ts';
import { billingJson } from './billing.server.ts';
import { newsletterOf } from './newsletter.server.ts';
import {
  type ExportedAttachment,
  type ExportedChat,
  type ExportedDocument,
  type ExportedGeneration,
  type ExportedImages,
  type ExportedLike,
  type ExportedMessage,
  type ExportedPrompt,
  type ExportedReport,
  type ExportedSupportMessage,
  type ExportedUse,
  type ExportedVersion,
  type ExportedWork,
  type ExportHead,
  exportJsonSchema,
} from './schema.server.ts';
import {
  attachmentFileName,
  chatFileName,
  documentFileName,
  ledgerCsv,
  pictureFileName,
  readme,
  workFileName,
} from './texts.server.ts';

const iso = (date: Date) => date.toISOString();

async function avatarOf(actor: UserActor): Promise<Buffer | null> {
  try {
    return (await avatar({ actor })).bytes;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

async function headOf(actor: UserActor, hasAvatar: boolean, exportedAt: Date): Promise<ExportHead> {
  const { created_at, providers, plan, ...known } = await account({ actor });
  const sessions: SessionRow[] = await listSessions({ actor });
  return {
    schema: 'schema.json',
    version: 1,
    exportedAt: iso(exportedAt),
    account: {
      ...known,
      plan,
      createdAt: iso(created_at),
      signInWith: ['email', ...providers],
      avatar: hasAvatar ? 'files/avatar.webp' : null,
    },
    sessions,
  };
}

async function* messagesOf(chat: WholeChat): AsyncGenerator<ExportedMessage> {
  for await (const row of chat.messages()) {
    yield {
      id: row.id,
      parentId: row.parent_id,
      role: row.role,
      content: row.content,
      createdAt: iso(row.created_at),
      generationId: row.generation_id,
      state: row.state ?? 'done',
      finishReason: row.finish_reason,
      error: row.error_message,
      creditsCharged: row.credits_charged ?? 0,
      model: row.model,
      takenOver: row.taken_over,
      leftOut: row.left_out,
      attachmentId: row.attachment_id,
    };
  }
}

async function* attachmentsOf(actor: UserActor): AsyncGenerator<ExportedAttachment> {
  for await (const row of everyAttachment({ actor })) {
    const { id, name, type, bytes, text, note } = row;
    const file = attachmentFileName(row);
    yield { id, name, type, bytes, createdAt: iso(row.created_at), file, text, note };
  }
}

/** The bytes of a file as they are asked for; none where they are missing. */
async function* contentOf(attachment: Pick<WholeAttachment, 'open'>): AsyncGenerator<Buffer> {
  yield* ((await attachment.open()) ?? []) as AsyncIterable<Buffer>;
}

function exportedImages(job: WholeImageJob): ExportedImages {
  const { id, prompt, size, count, model } = job;
  return {
    ...{ id, prompt, size, count, model },
    createdAt: iso(job.created_at),
    deletedAt: job.deleted_at && iso(job.deleted_at),
    pictures: job.pictures.map((picture) => ({
      id: picture.id,
      width: picture.width,
      height: picture.height,
      bytes: picture.bytes,
      createdAt: iso(picture.created_at),
      deletedAt: picture.deleted_at && iso(picture.deleted_at),
      file: pictureFileName(picture, prompt),
    })),
  };
}

async function* imagesOf(actor: UserActor): AsyncGenerator<ExportedImages> {
  for await (const job of everyImageJob({ actor })) yield exportedImages(job);
}

async function* generationsOf(actor: UserActor): AsyncGenerator<ExportedGeneration> {
  for await (const row of everyRun({ actor, textless: ['chat'] })) {
    yield {
      id: row.id,
      feature: row.feature,
      state: row.state,
      createdAt: iso(row.created_at),
      finishedAt: row.finished_at && iso(row.finished_at),
      creditsCharged: row.credits_charged,
      finishReason: row.finish_reason,
      error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
      text: row.text,
      result: row.result,
    };
  }
}

async function* promptsOf(actor: UserActor): AsyncGenerator<ExportedPrompt> {
  for await (const { created_at, updated_at, deleted_at, ...prompt } of everyPrompt({ actor })) {
    const times = { createdAt: iso(created_at), updatedAt: iso(updated_at) };
    yield { ...prompt, ...times, deletedAt: deleted_at && iso(deleted_at) };
  }
}

async function* likesOf(actor: UserActor): AsyncGenerator<ExportedLike> {
  for await (const { prompt_id, title, created_at } of everyLike({ actor })) {
    yield { promptId: prompt_id, title, createdAt: iso(created_at) };
  }
}

async function* usesOf(actor: UserActor): AsyncGenerator<ExportedUse> {
  for await (const { prompt_id, title, created_at, stars, rated_at } of everyUse({ actor })) {
    yield {
      promptId: prompt_id,
      title,
      createdAt: iso(created_at),
      stars,
      ratedAt: rated_at && iso(rated_at),
    };
  }
}

async function* reportsOf(actor: UserActor): AsyncGenerator<ExportedReport> {
  for await (const { prompt_id, reason, created_at } of everyReport({ actor })) {
    yield { promptId: prompt_id, reason, createdAt: iso(created_at) };
  }
}

async function* supportMessagesOf(actor: UserActor): AsyncGenerator<ExportedSupportMessage> {
  for await (const { kind, created_at, done_at, ...message } of everyMessage({ actor })) {
    yield { ...message, about: kind, createdAt: iso(created_at), doneAt: done_at && iso(done_at) };
  }
}

/** The elements of a JSON list, one a line. */
async function* listed(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let comma = '';
  for await (const row of rows) {
    yield `${comma}\n${JSON.stringify(row)}`;
    comma = ',';
  }
}

async function* chatsJson(actor: UserActor): AsyncGenerator<string> {
  let comma = '';
  for await (const chat of everyChat({ actor })) {
    const facts: ExportedChat = {
      id: chat.id,
      title: chat.title,
      assistant: chat.assistant,
      createdAt: iso(chat.created_at),
      updatedAt: iso(chat.updated_at),
      deletedAt: chat.deleted_at && iso(chat.deleted_at),
    };
    yield `${comma}\n${JSON.stringify(facts).slice(0, -1)},"messages":[`;
    yield* listed(messagesOf(chat));
    yield ']}';
    comma = ',';
  }
}

async function* versionsOf(work: WholeWork): AsyncGenerator<ExportedVersion> {
  for await (const { generation_id, created_at, position: _, ...version } of work.versions()) {
    yield { ...version, createdAt: iso(created_at), generationId: generation_id };
  }
}

async function* worksJson(actor: UserActor): AsyncGenerator<string> {
  let comma = '';
  for await (const work of everyWork({ actor })) {
    const facts: ExportedWork = {
      id: work.id,
      tool: work.feature,
      title: work.title,
      createdAt: iso(work.created_at),
      updatedAt: iso(work.updated_at),
      deletedAt: work.deleted_at && iso(work.deleted_at),
      file: work.deleted_at ? null : workFileName(work),
    };
    yield `${comma}\n${JSON.stringify(facts).slice(0, -1)},"versions":[`;
    yield* listed(versionsOf(work));
    yield ']}';
    comma = ',';
  }
}

async function* documentsOf(actor: UserActor): AsyncGenerator<ExportedDocument> {
  for await (const row of everyDocument({ actor })) {
    const { id, name, bytes, pages, note, deleted_at } = row;
    const runs = (await row.runs()).map(({ generation_id, kind, question, result, created_at }) => ({
      generationId: generation_id,
      kind,
      question,
      result,
      createdAt: iso(created_at),
    }));
    const facts = { id, name, bytes, pages, pagesRead: row.pages_read, note, createdAt: iso(row.created_at) };
    yield { ...facts, deletedAt: deleted_at && iso(deleted_at), file: documentFileName(row), runs };
  }
}

async function* exportJson(actor: UserActor, head: ExportHead): AsyncGenerator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n"chats": [`;
  yield* chatsJson(actor);
  yield '],\n"attachments": [';
  yield* listed(attachmentsOf(actor));
  yield '],\n"works": [';
  yield* worksJson(actor);
  yield '],\n"documents": [';
  yield* listed(documentsOf(actor));
  yield '],\n"prompts": [';
  yield* listed(promptsOf(actor));
  yield '],\n"likedPrompts": [';
  yield* listed(likesOf(actor));
  yield '],\n"usedPrompts": [';
  yield* listed(usesOf(actor));
  yield '],\n"reportedPrompts": [';
  yield* listed(reportsOf(actor));
  yield '],\n"supportMessages": [';
  yield* listed(supportMessagesOf(actor));
  yield '],\n"images": [';
  yield* listed(imagesOf(actor));
  yield '],\n"generations": [';
  yield* listed(generationsOf(actor));
  yield '],\n"ledger": [';
  yield* listed(everyEntry({ actor }));
  yield '],\n"billing": ';
  yield* billingJson(actor);
  yield `,\n"newsletter": ${JSON.stringify(await newsletterOf(actor), null, 2)}`;
  yield '\n}\n';
}

/** Every file of a person's archive. Chats are read row by row as the archive takes them, none is held as a whole. */
export async function* exportEntries(actor: UserActor): AsyncGenerator<ArchiveEntry> {
  const exportedAt = new Date();
  const picture = await avatarOf(actor);
  const head = await headOf(actor, picture !== null, exportedAt);
  yield { name: 'README.txt', content: readme(exportedAt) };
  yield { name: 'schema.json', content: exportJsonSchema() };
  yield { name: 'export.json', content: exportJson(actor, head) };
  for await (const chat of everyChat({ actor })) {
    if (!chat.deleted_at) yield { name: chatFileName(chat), content: chatMarkdown(chat) };
  }
  for await (const work of everyWork({ actor })) {
    if (!work.deleted_at) yield { name: workFileName(work), content: await work.text() };
  }
  yield { name: 'ledger.csv', content: ledgerCsv(everyEntry({ actor })) };
  if (picture) yield { name: 'files/avatar.webp', content: picture };
  for await (const attachment of everyAttachment({ actor })) {
    yield { name: attachmentFileName(attachment), content: contentOf(attachment) };
  }
  for await (const document of everyDocument({ actor })) {
    yield { name: documentFileName(document), content: contentOf(document) };
  }
  for await (const { prompt, pictures } of everyImageJob({ actor })) {
    for (const picture of pictures)
      yield { name: pictureFileName(picture, prompt), content: contentOf(picture) };
  }
}
