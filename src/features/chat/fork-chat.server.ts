import { checkDailyChats } from '#features/credits/service.server.ts';
import { m } from '#messages';
import { type Database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem, requireFound } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { cleanLine } from '#shared/clean-text.ts';
import { chatLimits, type ForkChat, shownTitle } from './contract.ts';
import { chatOfMessage, copyMessages, insertFork, messagesSize } from './fork-chat-store.server.ts';
import { findMessageRef } from './messages/branch-store.server.ts';
import { branchIds } from './privacy-store.server.ts';
import { ownSession } from './store.server.ts';

const FORKING = { max: 30, seconds: 3600 };

/** A fork of a fork gets the title's prefix only once. */
function forkTitle(title: string): string {
  const shown = shownTitle(title);
  const prefix = m.chat_fork_title({ title: '' }).trim();
  return shown.startsWith(prefix)
    ? shown
    : cleanLine(m.chat_fork_title({ title: shown }), chatLimits.titleLength);
}

async function messagesUpTo(tx: Database, chatId: string, messageId: string): Promise<string[]> {
  const end = requireFound(await findMessageRef(tx, chatId, messageId));
  if (end.role !== 'assistant') throw new Problem('bad_request', m.chat_error_wrong_message());
  const ids = await branchIds(tx, end.id);
  const { bytes, running } = await messagesSize(tx, ids);
  if (running) throw new Problem('conflict', m.chat_fork_running());
  if (bytes > chatLimits.forkBytes) throw new Problem('conflict', m.chat_fork_too_long());
  return ids;
}

/**
 * Creates a chat with a copy of the branch up to a reply. It costs no credits but counts for its day. An id that the
 * person already used returns that chat. @throws Problem if the id or message is somebody else's, or the branch is
 * still being written
 */
export async function forkChat({
  actor,
  input: { id, messageId },
}: ActorInput<ForkChat>): Promise<{ id: string; title: string }> {
  await enforceLimit(`forks:${actor.userId}`, FORKING);
  return transaction(async (tx) => {
    const existing = await ownSession(tx, actor.userId, id);
    if (existing) return { id, title: shownTitle(existing.title) };
    const source = requireFound(await chatOfMessage(tx, actor.userId, messageId));
    if (source.temporary) throw new Problem('conflict', m.chat_fork_temporary());
    const ids = await messagesUpTo(tx, source.id, messageId);
    await checkDailyChats(tx, actor);
    const title = forkTitle(source.title);
    if (await insertFork(tx, { id, from: source.id, title })) await copyMessages(tx, { to: id, ids });
    else requireFound(await ownSession(tx, actor.userId, id));
    return { id, title };
  });
}
