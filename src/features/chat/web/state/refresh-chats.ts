import { planLimits } from '#features/credits/contract.ts';
import type { ChatRow } from '../../contract.ts';
import { fetchArchivedChats } from './archived-chats.ts';
import { fetchChat, fetchChats, fetchMe } from './chat-api.ts';
import { isLive, liveMessage, type OpenChat } from './chat-state.ts';
import { belongsBelow } from './reducer.ts';
import { replaceUrl } from './replace-url.ts';
import type { ControlParts } from './send-message.ts';

type StateParts = Pick<ControlParts, 'latest' | 'dispatch'>;

/** Updates the balance, except while a reply is running, whose end brings it. */
async function refreshBalance({ latest, dispatch }: StateParts): Promise<void> {
  const me = await fetchMe();
  if (!liveMessage(latest.current)) dispatch({ type: 'me', me });
}

const newestChat = (chats: ChatRow[]) =>
  chats.reduce<ChatRow | undefined>(
    (newest, row) => (newest && newest.updatedAt >= row.updatedAt ? newest : row),
    undefined,
  );

/** Finds the archived chats among those that left the list; the others were deleted. */
async function showArchived(
  { latest, dispatch }: StateParts,
  page: { chats: ChatRow[]; next: string | null },
): Promise<void> {
  const belongs = belongsBelow(page);
  const listed = new Set(page.chats.map(({ id }) => id));
  const isMissing = (row: ChatRow) => !listed.has(row.id) && (row.running || !belongs(row));
  if (!latest.current.chats.some(isMissing)) return;
  for (const row of (await fetchArchivedChats(null)).chats) {
    const { chats, open } = latest.current;
    if (row.id === open.id || chats.some(({ id }) => id === row.id)) dispatch({ type: 'arranged', row });
  }
}

/** Loads what other tabs and devices did since the page was loaded. */
export async function refreshChats({ latest, dispatch, navigate }: ControlParts): Promise<void> {
  const { me, open } = latest.current;
  if (!me) return;
  const { chats } = latest.current;
  const knownUpdate = chats.find((row) => row.id === open.id)?.updatedAt;
  const page = await fetchChats(null);
  await showArchived({ latest, dispatch }, page);
  dispatch({ type: 'newest', ...page });
  // Messages sent elsewhere have cost credits.
  const [last, before] = [newestChat(page.chats), newestChat(chats)];
  const hasNewMessage = last && (last.updatedAt !== before?.updatedAt || last.running !== before.running);
  if (hasNewMessage && !planLimits[me.plan].unlimited) await refreshBalance({ latest, dispatch });
  const row = page.chats.find(({ id }) => id === open.id);
  const { open: current } = latest.current;
  const isBusy = current.messages.some((turn) => turn.unsent || isLive(turn));
  const changed = row?.running || row?.updatedAt !== knownUpdate || row?.assistant !== open.assistant;
  if (!row || !changed || isBusy || current.id !== open.id || current.newer !== null) return;
  const view = await fetchChat(open.id);
  // The view lacks messages sent since then.
  if (latest.current.open.messages !== current.messages) return;
  dispatch({ type: 'view', view });
  if (!current.stored) replaceUrl(view.id, navigate);
}

/** UTF-16 units of a chat that fit into the shortest context of any model. */
const alwaysFits = 20_000;

const mayBeCut = ({ older, own, project, messages }: OpenChat) =>
  older !== null ||
  own !== null ||
  project !== null ||
  messages.some(({ attachments }) => attachments.length > 0) ||
  messages.reduce((sum, { content }) => sum + content.length, 0) > alwaysFits;

/** Loads what did not fit into a reply's request, because its stream does not report that. */
export async function showLeftOut({ latest, dispatch }: StateParts, chatId: string): Promise<void> {
  const { open } = latest.current;
  if (open.id !== chatId || open.newer !== null || !mayBeCut(open)) return;
  const view = await fetchChat(chatId);
  const { id, messages, model, compare } = latest.current.open;
  const running = messages.some((turn) => turn.unsent || isLive(turn));
  // The view lacks messages sent since then.
  const isCurrent = (view.compared ?? view.messages.at(-1))?.id === messages.at(-1)?.id;
  // A choice of models may be on its way to the server.
  if (id === chatId && isCurrent && !running) dispatch({ type: 'view', view: { ...view, model, compare } });
}

export async function loadAll({ latest, dispatch }: StateParts): Promise<void> {
  const { id, older, newer } = latest.current.open;
  for (let before = older; before !== null; ) {
    const view = await fetchChat(id, { before });
    dispatch({ type: 'older', before, view });
    before = view.older;
  }
  for (let after = newer; after !== null; ) {
    const view = await fetchChat(id, { after });
    dispatch({ type: 'newer', after, view });
    after = view.newer;
  }
}
