import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import {
  chatOf,
  chatsAfter,
  deleteChatsOf,
  idsUpTo,
  messagesAfter,
  type SaidRow,
  said,
  type WholeChatRow,
  type WrittenRow,
} from './store.server.ts';

/** Erases a person's chats and messages. */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  await deleteChatsOf(tx, userId);
}

const CHATS = 50;
/** Each may hold 256 KiB. */
const MESSAGES = 20;

/** A chat of the actor; its messages are read page by page as they are asked for. */
export interface WholeChat extends Omit<WholeChatRow, 'cursor'> {
  /** Of all branches, in the order of their writing. */
  messages(): AsyncGenerator<WrittenRow>;
  /** Of the branch that the page shows, oldest first. */
  shown(): AsyncGenerator<SaidRow>;
}

async function* messagesOf(sessionId: string): AsyncGenerator<WrittenRow> {
  for (let after = 0; ; ) {
    const page = await messagesAfter(database(), sessionId, after, MESSAGES);
    yield* page;
    after = page.at(-1)?.position ?? after;
    if (page.length < MESSAGES) return;
  }
}

async function* branchOf(end: string | null): AsyncGenerator<SaidRow> {
  const ids = end === null ? [] : await idsUpTo(database(), end);
  for (let at = 0; at < ids.length; at += MESSAGES) {
    yield* await said(database(), ids.slice(at, at + MESSAGES));
  }
}

const whole = ({ cursor: _, ...chat }: WholeChatRow): WholeChat => ({
  ...chat,
  messages: () => messagesOf(chat.id),
  shown: () => branchOf(chat.shown_id),
});

/** A chat of the actor, or null. */
export async function oneChat({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<WholeChat | null> {
  const row = await chatOf(database(), actor.userId, input.id);
  return row && whole(row);
}

/** Every chat of the actor, oldest first, deleted ones as long as their words are kept. */
export async function* everyChat({ actor }: { actor: UserActor }): AsyncGenerator<WholeChat> {
  let after: { cursor: string; id: string } | null = null;
  for (;;) {
    const page: WholeChatRow[] = await chatsAfter(database(), actor.userId, after, CHATS);
    for (const row of page) {
      yield whole(row);
      after = row;
    }
    if (page.length < CHATS) return;
  }
}
