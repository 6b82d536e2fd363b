import { notifySignedOut, openSignIn } from '#client/page-events.ts';
import { local } from '#client/storage.ts';
import { planLimits } from '#features/credits/contract.ts';
import type { ImageSize } from '#features/images/contract.ts';
import { m } from '#messages';
import type { ChatModel } from '#shared/chat-models.ts';
import { type Attachment, generalAssistant } from '../../contract.ts';
import type { SelectionChange } from './act-on-selection.ts';
import type { Arrangement } from './arrange-chats.ts';
import { chooseBranch, fetchChat, fetchChats, storeComparedModel, storeModel, toNotice } from './chat-api.ts';
import {
  type ChatState,
  type Dialog,
  editedMessage,
  isLive,
  liveMessage,
  type Message,
  newChatPath,
  type OpenChat,
  openPair,
  replyToContinue,
} from './chat-state.ts';
import { type DraftContent, draftOwner, dropDraft, type OutgoingMessage, savePending } from './drafts.ts';
import { clearFoundMessage } from './replace-url.ts';
import {
  type ControlParts,
  comparedChoice,
  drawChoice,
  isExpired,
  messageChoice,
  sendMessage,
  sentChoice,
  withKey,
} from './send-message.ts';

export interface ChatControls {
  /** Returns false if the message must wait for the running reply or the sign-in. */
  send(message: DraftContent): boolean;
  /** Sends a message that was kept over a sign-in, under its own key. */
  sendPending(pending: OutgoingMessage): void;
  /** Stops all running replies of the open chat. */
  stop(): void;
  stopOne(turn: Message): void;
  /** @param model one of the operator's list, instead of the chat's model */
  regenerate(turn: Message, model?: ChatModel): void;
  /** Returns the credits for a message; null if the plan charges nothing. */
  costOf(model?: ChatModel): number | null;
  continueReply(turn: Message): void;
  edit(turn: Message | null): void;
  /** `fromOtherTab`: another tab made the choice and has stored it. */
  chooseModel(model: string | null, options?: { fromOtherTab: boolean }): void;
  /** Sets the second model that replies to the next messages of the open chat; null: none. */
  compareWith(model: string | null, options?: { fromOtherTab: boolean }): void;
  /** Applies to the next messages of the open chat. */
  searchWeb(on: boolean): void;
  /** Size of the image that the next message requests; null: none. */
  draw(size: ImageSize | null): void;
  showVersion(id: string): void;
  loadOlder(): Promise<void>;
  loadNewer(): Promise<void>;
  loadAll(): Promise<boolean>;
  loadAround(id: string): Promise<void>;
  loadEnd(): Promise<void>;
  loadChats(): Promise<void>;
  refresh(): Promise<void>;
  rename(chatId: string, title: string): Promise<void>;
  remove(chatId: string): Promise<void>;
  restore(chatId: string): void;
  /** Returns whether it succeeded. */
  arrange(chatId: string, change: Arrangement): Promise<boolean>;
  /** Returns whether it succeeded. */
  actOnSelection(chatIds: string[], change: SelectionChange): Promise<boolean>;
  /** Puts a passage of a reply into the composer. */
  quote(passage: string): void;
  /** Adds a file to the message that is being written. */
  attach(file: Attachment): void;
  /** Sets the balance after a charge for something other than messages; null on an unlimited plan. */
  setCredits(credits: number | null): void;
  isReading(chatId: string): boolean;
  show(dialog: Dialog | null): void;
  dismiss(): void;
}

export interface ChatProps {
  state: ChatState;
  controls: ChatControls;
}

const returnPath = ({ id, stored, assistant, temporary, project }: OpenChat) =>
  stored ? `/chat/${id}` : newChatPath(assistant, temporary, project);

function toOutgoing(state: ChatState, { text, attachments }: DraftContent): OutgoingMessage {
  const { open, owner } = state;
  const edited = editedMessage(state);
  const pair = openPair(open.messages);
  const last = pair ? replyToContinue(pair) : open.messages.at(-1);
  return withKey({
    ...(open.draw ? drawChoice(open.draw) : { ...sentChoice(state), compare: comparedChoice(state) }),
    text,
    attachments,
    owner: owner ?? draftOwner(local, open.stored ? open.id : null),
    chatId: open.id,
    create: !open.stored,
    assistant: open.assistant,
    temporary: open.temporary,
    projectId: open.project?.id,
    replaces: edited?.id ?? null,
    parentId: !edited && last?.role === 'assistant' && open.newer === null ? last.id : null,
  });
}

export function createControls(parts: ControlParts): ChatControls {
  const { latest, dispatch, runs } = parts;
  const report = (error: unknown) => {
    if (isExpired(error)) notifySignedOut();
    dispatch({ type: 'notice', notice: toNotice(error, latest.current.me) });
  };
  const withReport = (work: Promise<boolean>) =>
    work.catch((error: unknown) => {
      report(error);
      return false;
    });
  let isRequesting = false;
  const requestAnother = async (
    turn: Message,
    options: { continues: boolean; model?: ChatModel | undefined },
  ) => {
    if (isRequesting) return;
    isRequesting = true;
    try {
      const code = await import('./another-reply.ts');
      // Another chat may have been opened meanwhile.
      if (latest.current.open.messages.some(({ key }) => key === turn.key))
        code.requestAnotherReply(parts, turn, options);
    } catch (error) {
      report(error);
    }
    isRequesting = false;
  };
  const loadEnd = async () => {
    const { id, newer } = latest.current.open;
    if (newer !== null) dispatch({ type: 'view', view: await fetchChat(id) });
  };
  return {
    send(message) {
      const { me, open } = latest.current;
      if (liveMessage(latest.current)) return false;
      const outgoingMessage = toOutgoing(latest.current, message);
      if (!me) {
        savePending(local, outgoingMessage);
        openSignIn({ next: returnPath(open), reason: m.chat_sign_in_sends() });
        return false;
      }
      if (open.newer === null || outgoingMessage.replaces) sendMessage(parts, outgoingMessage);
      else
        loadEnd().then(
          () => sendMessage(parts, outgoingMessage),
          (error: unknown) => {
            report(error);
            parts.returnMessage(message);
          },
        );
      return true;
    },
    sendPending(stored) {
      const pending = { ...stored, owner: latest.current.owner };
      // The kept message holds the text until the server has it.
      dropDraft(local, null, pending);
      if (pending.create && latest.current.open.id !== pending.chatId)
        dispatch({
          type: 'fresh',
          id: pending.chatId,
          assistant: pending.assistant ?? generalAssistant,
          temporary: pending.temporary === true,
        });
      sendMessage(parts, pending);
    },
    stop() {
      for (const turn of latest.current.open.messages.filter(isLive)) runs.stop(turn.key);
    },
    stopOne: (turn) => runs.stop(turn.key),
    regenerate: (turn, model) => requestAnother(turn, { continues: false, model }),
    costOf: (model) => {
      const { me } = latest.current;
      const { price } = messageChoice(latest.current, undefined, model);
      return me && !planLimits[me.plan].unlimited ? price : null;
    },
    continueReply: (turn) => requestAnother(turn, { continues: true }),
    edit: (turn) => dispatch({ type: 'edit', key: turn?.key ?? null }),
    chooseModel(model, { fromOtherTab } = { fromOtherTab: false }) {
      const { id, stored } = latest.current.open;
      dispatch({ type: 'chosen', model });
      if (!fromOtherTab) storeModel(model, stored ? id : undefined).catch(report);
    },
    compareWith(model, { fromOtherTab } = { fromOtherTab: false }) {
      const { id, stored } = latest.current.open;
      dispatch({ type: 'compare', model });
      if (!fromOtherTab && stored) storeComparedModel(model, id).catch(report);
    },
    draw: (size) => dispatch({ type: 'draw', size }),
    searchWeb: (on) => dispatch({ type: 'web', on }),
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
      withReport(import('./refresh-chats.ts').then((code) => code.loadAll(parts)).then(() => true)),
    async loadAround(at) {
      const { id } = latest.current.open;
      await fetchChat(id, { at }).then((view) => dispatch({ type: 'view', view }), report);
    },
    async loadEnd() {
      await loadEnd().then(() => clearFoundMessage(latest.current.open.id, parts.navigate), report);
    },
    async loadChats() {
      const before = latest.current.next;
      await fetchChats(before).then((page) => dispatch({ type: 'page', before, ...page }), report);
    },
    // Ignore errors: the network or the session is gone, and the person's next request reports that.
    refresh: () =>
      import('./refresh-chats.ts').then((code) => code.refreshChats(parts)).catch(() => undefined),
    rename: (chatId, title) =>
      import('./arrange-chats.ts').then((code) => code.renameChat(parts, chatId, title)).catch(report),
    remove: (chatId) =>
      import('./arrange-chats.ts').then((code) => code.removeChat(parts, chatId)).catch(report),
    restore: (chatId) =>
      void import('./arrange-chats.ts').then((code) => code.restoreAndOpen(parts, chatId)).catch(report),
    arrange: (chatId, change) =>
      withReport(import('./arrange-chats.ts').then((code) => code.arrangeChat(parts, chatId, change))),
    actOnSelection: (chatIds, change) =>
      withReport(import('./act-on-selection.ts').then((code) => code.actOnSelection(parts, chatIds, change))),
    quote: parts.quote,
    attach: (file) => parts.returnMessage({ text: '', attachments: [file] }),
    setCredits(credits) {
      const { me } = latest.current;
      if (me && credits !== null) dispatch({ type: 'me', me: { ...me, credits } });
    },
    isReading: (chatId) => runs.isReading(chatId),
    show: (dialog) => dispatch({ type: 'dialog', dialog }),
    dismiss: () => dispatch({ type: 'notice', notice: null }),
  };
}
