import type { useNavigate } from 'react-router';
import { local } from '../../../../client/storage.ts';
import { planLimits } from '../../../credits/contract.ts';
import type { Attachment } from '../../attachments/contract.ts';
import { generalAssistant } from '../../contract.ts';
import {
  chooseBranch,
  deleteChat,
  fetchChat,
  fetchChats,
  fetchMe,
  renameChat,
  restoreChat,
} from '../run/api.ts';
import type { Runs } from '../run/runs.ts';
import { adopt, leaveFound } from './adopted.ts';
import { newChatPath } from './assistants.ts';
import {
  type ChatAction,
  type ChatState,
  type Dialog,
  editedTurn,
  isLive,
  liveTurn,
  type OpenChat,
  type Turn,
} from './chat-state.ts';
import { draftOwner, dropDraft, keepPending } from './kept-text.ts';
import { noticeOf } from './notices.ts';
import { isExpired, keyed, openSignIn, replaceReply, type Sending, sendMessage } from './sending.ts';
import { shortTitle } from './titles.ts';

/** What a person sends: a text, a file, or both. */
export interface Outgoing {
  text: string;
  attachment: Attachment | null;
}

export interface ChatControls {
  /** Sends a message, as another version of the edited one where there is one; a guest is asked to sign in first.
   * False when it must wait for the running reply or for the sign-in. */
  send(message: Outgoing): boolean;
  /** Sends a message that was kept over a sign-in, in its chat and under its key. */
  sendKept(pending: Sending): void;
  stop(): void;
  /** Another reply in place of the given one. */
  again(turn: Turn): void;
  /** Another version of a reply, which begins with its text and goes on. */
  goOn(turn: Turn): void;
  /** Takes a question into the composer, to be sent as another version; null gives that up. */
  edit(turn: Turn | null): void;
  /** Shows the newest branch through a message. */
  showVersion(id: string): void;
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  /** Loads all of the open chat; false where that failed, which is then said. */
  loadAll(): Promise<boolean>;
  /** Shows the part of the open chat in which a message stands. */
  loadAround(id: string): Promise<void>;
  /** Shows the end of the chat, from the server where it is not loaded, and takes a search hit out of the address. */
  toEnd(): Promise<void>;
  loadChats(): Promise<void>;
  /** Asks for what happened elsewhere: the newest chats, and the open one if it has changed. */
  refresh(): Promise<void>;
  rename(chatId: string, title: string): Promise<void>;
  /** Deletes a chat, with a toast that undoes it. */
  remove(chatId: string): Promise<void>;
  /** Brings a deleted chat back and shows it. */
  restore(chatId: string): void;
  /** Whether this page reads a running reply of the chat. */
  reads(chatId: string): boolean;
  show(dialog: Dialog | null): void;
  dismiss(): void;
}

/** What the controls work with. */
export interface Parts {
  latest: { readonly current: ChatState };
  dispatch: (action: ChatAction) => void;
  runs: Runs;
  navigate: ReturnType<typeof useNavigate>;
  /** Puts a refused message into the composer again. */
  giveBack: (message: Outgoing) => void;
}

const toast = (detail: object) => document.dispatchEvent(new CustomEvent('toast', { detail }));

/** How long a deletion can be undone on the page, in milliseconds. */
const undoTime = 6_000;

const wayBack = ({ id, stored, assistant }: OpenChat) => (stored ? `/chat/${id}` : newChatPath(assistant));

function outgoing(state: ChatState, { text, attachment }: Outgoing): Sending {
  const { open, owner } = state;
  const edited = editedTurn(state);
  const last = open.turns.at(-1);
  return keyed({
    text,
    attachment,
    owner: owner ?? draftOwner(local, open.stored ? open.id : null),
    chatId: open.id,
    create: !open.stored,
    assistant: open.assistant,
    replaces: edited?.id ?? null,
    parentId: !edited && last?.role === 'assistant' && open.newer === null ? last.id : null,
  });
}

/** The verbs of the page. */
export function makeControls(parts: Parts): ChatControls {
  const { latest, dispatch, runs } = parts;
  const report = (error: unknown) => {
    if (isExpired(error)) document.dispatchEvent(new CustomEvent('auth:lost'));
    dispatch({ type: 'notice', notice: noticeOf(error, latest.current.me) });
  };
  const toEnd = async () => {
    const { id, newer } = latest.current.open;
    if (newer !== null) dispatch({ type: 'view', view: await fetchChat(id) });
  };
  return {
    send(message) {
      const { me, open } = latest.current;
      if (liveTurn(latest.current)) return false;
      const sending = outgoing(latest.current, message);
      if (!me) {
        keepPending(local, sending);
        openSignIn(wayBack(open), 'Your message is kept and sent after you sign in.');
        return false;
      }
      if (open.newer === null || sending.replaces) sendMessage(parts, sending);
      else
        toEnd().then(
          () => sendMessage(parts, sending),
          (error: unknown) => {
            report(error);
            parts.giveBack(message);
          },
        );
      return true;
    },
    sendKept(kept) {
      const pending = { ...kept, owner: latest.current.owner };
      // The kept message holds the text until the server has it.
      dropDraft(local, null, pending);
      if (pending.create && latest.current.open.id !== pending.chatId)
        dispatch({ type: 'fresh', id: pending.chatId, assistant: pending.assistant ?? generalAssistant });
      sendMessage(parts, pending);
    },
    stop() {
      const turn = liveTurn(latest.current);
      if (turn) runs.stop(turn.key);
    },
    again: (turn) => replaceReply(parts, turn, false),
    goOn: (turn) => replaceReply(parts, turn, true),
    edit: (turn) => dispatch({ type: 'edit', key: turn?.key ?? null }),
    showVersion(id) {
      chooseBranch(latest.current.open.id, id).then((view) => dispatch({ type: 'view', view }), report);
    },
    async loadOlder() {
      const { id, older } = latest.current.open;
      if (older === null) return;
      await fetchChat(id, { before: older }).then(
        (view) => dispatch({ type: 'older', before: older, view }),
        report,
      );
    },
    async loadNewer() {
      const { id, newer } = latest.current.open;
      if (newer === null) return;
      await fetchChat(id, { after: newer }).then(
        (view) => dispatch({ type: 'newer', after: newer, view }),
        report,
      );
    },
    loadAll: () =>
      loadAll(parts).then(
        () => true,
        (error: unknown) => {
          report(error);
          return false;
        },
      ),
    async loadAround(at) {
      const { id } = latest.current.open;
      await fetchChat(id, { at }).then((view) => dispatch({ type: 'view', view }), report);
    },
    async toEnd() {
      await toEnd().then(() => leaveFound(latest.current.open.id, parts.navigate), report);
    },
    async loadChats() {
      const before = latest.current.next;
      await fetchChats(before).then((page) => dispatch({ type: 'page', before, ...page }), report);
    },
    refresh: () => refresh(parts),
    async rename(chatId, title) {
      const before =
        latest.current.chats.find((row) => row.id === chatId)?.title ?? latest.current.open.title;
      if (title.trim() === '' || title.trim() === before) return;
      dispatch({ type: 'titled', chatId, title: title.trim() });
      await renameChat(chatId, title).then(
        (row) => dispatch({ type: 'titled', chatId, title: row.title }),
        (error: unknown) => {
          dispatch({ type: 'titled', chatId, title: before });
          report(error);
        },
      );
    },
    remove: (chatId) => remove(parts, chatId).catch(report),
    restore(chatId) {
      restoreChat(chatId).then((row) => {
        dispatch({ type: 'restored', row });
        if (latest.current.open.id !== chatId) void parts.navigate(`/chat/${chatId}`);
      }, report);
    },
    reads: (chatId) => runs.reads(chatId),
    show: (dialog) => dispatch({ type: 'dialog', dialog }),
    dismiss: () => dispatch({ type: 'notice', notice: null }),
  };
}

/** Loads what stands before and after the turns that the page holds. */
async function loadAll({ latest, dispatch }: Parts): Promise<void> {
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

/** The person as the server knows them now, unless a reply of this page is about to tell the balance itself. */
async function renew({ latest, dispatch }: Pick<Parts, 'latest' | 'dispatch'>): Promise<void> {
  const me = await fetchMe();
  if (!liveTurn(latest.current)) dispatch({ type: 'me', me });
}

/** What was said on another tab or device reaches this page here; failures are left to the next look. */
async function refresh({ latest, dispatch, navigate }: Parts): Promise<void> {
  const { me, open } = latest.current;
  if (!me) return;
  try {
    const { chats } = latest.current;
    const known = chats.find((row) => row.id === open.id)?.updatedAt;
    const page = await fetchChats(null);
    dispatch({ type: 'newest', ...page });
    // What was said elsewhere was paid for there.
    const [last, before] = [page.chats[0], chats[0]];
    const said = last && (last.updatedAt !== before?.updatedAt || last.running !== before.running);
    if (said && !planLimits[me.plan].unlimited) await renew({ latest, dispatch });
    const row = page.chats.find(({ id }) => id === open.id);
    const { open: still } = latest.current;
    const ours = still.turns.some((turn) => turn.unsent || isLive(turn));
    const changed = row?.running || row?.updatedAt !== known;
    if (!row || !changed || ours || still.id !== open.id || still.newer !== null) return;
    const view = await fetchChat(open.id);
    // What was sent since then is not in it.
    if (latest.current.open.turns !== still.turns) return;
    dispatch({ type: 'view', view });
    if (!still.stored) adopt(view.id, navigate);
  } catch {
    // The network or the session is away: the next request of the person says so.
  }
}

async function remove({ latest, dispatch, navigate }: Parts, chatId: string): Promise<void> {
  const { chats, open } = latest.current;
  const title = chats.find((row) => row.id === chatId)?.title ?? open.title;
  await deleteChat(chatId);
  dispatch({ type: 'removed', chatId });
  const wasOpen = latest.current.open.id === chatId;
  if (wasOpen) void navigate('/chat/new');
  const undo = async () => {
    try {
      dispatch({ type: 'restored', row: await restoreChat(chatId) });
      if (wasOpen) void navigate(`/chat/${chatId}`);
    } catch (error) {
      dispatch({ type: 'notice', notice: noticeOf(error, latest.current.me) });
    }
  };
  toast({
    text: `“${shortTitle(title)}” was deleted.`,
    action: { label: 'Undo', run: () => void undo() },
    lasts: undoTime,
  });
}
