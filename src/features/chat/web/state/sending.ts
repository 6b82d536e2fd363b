import { ProblemError } from '../../../../client/problem-error.ts';
import { local } from '../../../../client/storage.ts';
import { newId } from '../../../../client/uuid.ts';
import { LiveText } from '../../../generations/web/live-text.ts';
import { requestKey } from '../../../generations/web/request-keys.ts';
import type { Attachment } from '../../attachments/contract.ts';
import type { SendMessage } from '../../contract.ts';
import { adopt, leaveFound } from './adopted.ts';
import { liveTurn, type RefusedAction, type Turn, type UpgradeCause } from './chat-state.ts';
import type { Parts } from './controls.ts';
import { dropDraft, dropPending, keepPending, placeOf, returnToDraft } from './kept-text.ts';
import { noticeOf } from './notices.ts';

/** A message on its way, under its key. */
export interface Sending {
  text: string;
  attachment: Attachment | null;
  key: string;
  /** User id of its sender; null for a guest, whose message is sent for whoever signs in. */
  owner: string | null;
  chatId: string;
  /** Whether the chat is made by this message. */
  create: boolean;
  assistant?: string;
  /** Id of the message that this is another version of. */
  replaces?: string | null;
  /** Id of the reply that this answers; null: what the chat shows last. */
  parentId?: string | null;
}

/** Opens the sign-in dialog of the page's shell; `next` is where its link leads. */
export function openSignIn(next: string, reason?: string) {
  document.dispatchEvent(new CustomEvent('sign-in:open', { detail: { next, reason } }));
}

/** Whether a request was refused because the session is over. */
export const isExpired = (error: unknown) => error instanceof ProblemError && error.status === 401;

/** The session is over: the shell shows a guest, and the dialog offers the way back. */
export function signInAgain(next: string) {
  document.dispatchEvent(new CustomEvent('auth:lost'));
  openSignIn(next, 'You were signed out. What you typed is kept.');
}

/** Refusals that a plan would lift. */
export const upgradeCauses: Partial<Record<string, UpgradeCause>> = {
  credits_exhausted: 'credits',
  daily_chats: 'daily',
};

function offerUpgrade({ dispatch }: Parts, error: unknown, refused: RefusedAction) {
  const cause = error instanceof ProblemError ? upgradeCauses[error.body.code] : undefined;
  if (cause) dispatch({ type: 'dialog', dialog: { kind: 'upgrade', cause, refused } });
}

/** A message without its key. */
type Unkeyed = Omit<Sending, 'key'>;

const pathOf = ({ chatId }: Unkeyed) => `/api/chats/${chatId}/messages`;

/** A message under the key of its request. */
export const keyed = (message: Unkeyed): Sending => ({
  ...message,
  key: requestKey(pathOf(message), bodyOf(message)),
});

function bodyOf(sending: Unkeyed): SendMessage {
  const { text, attachment, create, assistant, replaces, parentId, owner } = sending;
  return {
    text,
    ...(owner ? { by: owner } : {}),
    ...(create ? { create, assistant } : {}),
    ...(replaces ? { replaces } : {}),
    ...(parentId ? { parentId } : {}),
    ...(attachment ? { attachmentId: attachment.id } : {}),
  };
}

/** Shows a message as sent, sends it, and gives it back to its sender when it is refused. */
export function sendMessage(parts: Parts, sending: Sending) {
  const { latest, dispatch, runs, navigate, giveBack } = parts;
  const { text, attachment, key, chatId, create, replaces } = sending;
  const keys = { question: newId(), reply: newId() };
  const live = new LiveText();
  const replaced = latest.current.open.turns.find((turn) => turn.id === replaces)?.key ?? null;
  const now = new Date().toISOString();
  dispatch({ type: 'sending', text, attachment, keys, replaces: replaced, live, now });
  const request = { path: pathOf(sending), body: bodyOf(sending), key };
  void runs.begin(
    { request, chatId, ...keys, live },
    {
      accepted() {
        dropDraft(local, placeOf(sending), sending);
        dropPending(local, key);
        if (create && latest.current.open.id === chatId) adopt(chatId, navigate);
        leaveFound(chatId, navigate);
      },
      refused(error) {
        const expired = isExpired(error);
        // Another person has signed in meanwhile: neither the text nor what became of it is theirs.
        if (latest.current.owner !== sending.owner) return;
        if (expired) keepPending(local, sending);
        else dropPending(local, key);
        dispatch({ type: 'refused', ...keys, notice: noticeOf(error, latest.current.me) });
        if (latest.current.open.id === chatId) {
          if (replaced !== null) dispatch({ type: 'edit', key: replaced });
          giveBack({ text, attachment });
        } else returnToDraft(local, placeOf(sending), sending);
        if (expired) signInAgain(create ? '/chat/new' : `/chat/${chatId}`);
        else offerUpgrade(parts, error, 'message');
      },
    },
  );
}

/** Asks for another version of a reply: a new one, or (`goesOn`) one that begins with its text. */
export function replaceReply(parts: Parts, turn: Turn, goesOn: boolean) {
  const { latest, dispatch, runs } = parts;
  const { open, me } = latest.current;
  if (liveTurn(latest.current) || !me) return;
  const reply = newId();
  const begun = goesOn ? turn.content : '';
  const live = new LiveText(begun, begun);
  dispatch({ type: 'replacing', key: turn.key, reply, goesOn, live, now: new Date().toISOString() });
  const path = `/api/chats/${open.id}/messages/${turn.id}/${goesOn ? 'continue' : 'regenerate'}`;
  void runs.begin(
    { request: { path, body: {} }, chatId: open.id, reply, question: null, live },
    {
      accepted: () => undefined,
      refused(error) {
        const notice = { ...noticeOf(error, latest.current.me), refused: 'reply' as const };
        dispatch({ type: 'refused', reply, question: null, notice });
        if (isExpired(error)) signInAgain(`/chat/${open.id}`);
        else offerUpgrade(parts, error, 'reply');
      },
    },
  );
}
