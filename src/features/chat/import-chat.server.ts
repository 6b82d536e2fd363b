import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { cleanLine, cleanText } from '#shared/clean-text.ts';
import { assistantOf } from './assistants.server.ts';
import { countPins, lockPins } from './chat-order-store.server.ts';
import { chatLimits, defaultTitle, type ReplyRating, ratingReasons } from './contract.ts';
import {
  arrangeImported,
  attachImportedFiles,
  type ImportedFileRef,
  type ImportedMessageRow,
  insertImported,
  insertImportedMessages,
  insertImportedRatings,
} from './import-chat-store.server.ts';
import { offeredId } from './import-keepers.server.ts';
import { assistantLimits } from './own-assistants/own-assistants-contract.ts';
import { lockAssistant } from './own-assistants/own-assistants-store.server.ts';
import { lockProject } from './projects/projects-store.server.ts';

export { existingChats } from './import-chat-store.server.ts';

export interface ImportedMessage {
  /** Index of the message that it follows, which comes earlier; null: a first message. */
  parent: number | null;
  role: 'user' | 'assistant';
  text: string;
  createdAt: Date;
  /** From `addImportedFile`. */
  files: readonly ImportedFileRef[];
  /** Id of one of the person's own sets of images. */
  drawnBy: string | null;
  assistantName: string | null;
  rating: { good: boolean; reason: string } | null;
}

export interface ImportedChat {
  title: string;
  assistant: string | null;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
  pinnedAt: Date | null;
  /** One of the person's own; ignored if it was deleted meanwhile. */
  projectId: string | null;
  ownAssistantId: string | null;
  model: string | null;
  comparedModel: string | null;
  messages: readonly ImportedMessage[];
  /** Index of the last message of the shown branch; null: the newest. */
  shown: number | null;
}

/** Messages per statement. */
const BATCH = 500;

function parseRating(rating: ImportedMessage['rating']): ReplyRating | null {
  if (!rating) return null;
  const reason = rating.good ? undefined : ratingReasons.find((valid) => valid === rating.reason);
  return { good: rating.good, reason: reason ?? null };
}

const cleanTitle = ({ title }: ImportedChat) => cleanLine(title, chatLimits.titleLength) || defaultTitle;

/**
 * Creates a chat that costs nothing, counts for no day and calls no model. The caller ensures that this happens only
 * once. @returns its id; null if the account was deleted meanwhile
 */
export async function addImportedChat(
  tx: Database,
  userId: string,
  chat: ImportedChat,
): Promise<string | null> {
  const id = uuid();
  const { createdAt, updatedAt, archivedAt } = chat;
  const row = {
    ...{ id, userId, createdAt, updatedAt, title: cleanTitle(chat) },
    assistant: assistantOf(chat.assistant ?? undefined).id,
    ...(await lockKeepers(tx, userId, chat)),
    model: offeredId(chat.model),
    comparedModel: offeredId(chat.comparedModel),
  };
  if (!(await insertImported(tx, row))) return null;
  const ids = chat.messages.map(() => uuid());
  const rows = chat.messages.map(
    (
      { parent, role, text, createdAt: at, files, drawnBy, assistantName, rating },
      index,
    ): ImportedMessageRow => ({
      id: ids[index] ?? '',
      parentId: parent === null ? null : (ids[parent] ?? null),
      role,
      text: cleanText(text),
      createdAt: at,
      files,
      drawnBy,
      assistantName: assistantName === null ? null : cleanLine(assistantName, assistantLimits.name) || null,
      rating: parseRating(rating),
    }),
  );
  for (let at = 0; at < rows.length; at += BATCH)
    await insertImportedMessages(tx, id, rows.slice(at, at + BATCH));
  const withFiles = rows.filter(({ files }) => files.length > 0);
  if (withFiles.length > 0) await attachImportedFiles(tx, userId, withFiles);
  await insertImportedRatings(tx, userId, rows);
  const shownId = chat.shown === null ? null : (ids[chat.shown] ?? null);
  const pinnedAt = await allowedPin(tx, userId, chat);
  if (shownId !== null || archivedAt !== null || pinnedAt !== null)
    await arrangeImported(tx, id, { shownId, archivedAt, pinnedAt });
  return id;
}

/** Locks both, so that they are not deleted before the transaction ends. */
async function lockKeepers(
  tx: Database,
  userId: string,
  { projectId, ownAssistantId }: ImportedChat,
): Promise<Pick<ImportedChat, 'projectId' | 'ownAssistantId'>> {
  const project = projectId !== null && (await lockProject(tx, userId, projectId));
  const own = ownAssistantId === null ? null : await lockAssistant(tx, userId, ownAssistantId);
  return { projectId: project ? projectId : null, ownAssistantId: own?.id ?? null };
}

/** An archived chat counts as pinned only after it returns from the archive. */
async function allowedPin(
  tx: Database,
  userId: string,
  { pinnedAt, archivedAt }: ImportedChat,
): Promise<Date | null> {
  if (pinnedAt === null || archivedAt !== null) return pinnedAt;
  await lockPins(tx, userId);
  return (await countPins(tx, userId, [])) < chatLimits.pinned ? pinnedAt : null;
}
