import type { useNavigate } from 'react-router';
import { afterPaint } from '#client/after-paint.ts';
import { notifySignedOut, openSignIn } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { local } from '#client/storage.ts';
import { newUuid } from '#client/uuid.ts';
import { featureTable, messagePrice } from '#features/credits/contract.ts';
import { requestKey } from '#features/generations/web/idempotency-keys.ts';
import { LiveText } from '#features/generations/web/live-text.ts';
import type { ImageSize } from '#features/images/contract.ts';
import { m } from '#messages';
import { type ChatModel, chatModels } from '#shared/chat-models.ts';
import type { ComparedModel, ModelChoice, SendMessage } from '../../contract.ts';
import { toNotice } from './chat-api.ts';
import type { ChatAction, ChatState, RefusedAction, UpgradeCause } from './chat-state.ts';
import { chosenModel, comparedModel } from './chosen-model.ts';
import {
  type DraftContent,
  draftKeyOf,
  dropDraft,
  dropPending,
  markSent,
  type OutgoingMessage,
  returnToDraft,
  savePending,
} from './drafts.ts';
import { clearFoundMessage, replaceUrl } from './replace-url.ts';
import type { ReplyStreams } from './reply-streams.ts';

export interface ControlParts {
  latest: { readonly current: ChatState };
  dispatch: (action: ChatAction) => void;
  runs: ReplyStreams;
  navigate: ReturnType<typeof useNavigate>;
  returnMessage: (message: DraftContent) => void;
  quote: (passage: string) => void;
}

export const isExpired = (error: unknown) => error instanceof ProblemError && error.status === 401;

export function onSessionExpired(next: string) {
  notifySignedOut();
  openSignIn({ next, reason: m.chat_signed_out_kept() });
}

export const upgradeCauses: Partial<Record<string, UpgradeCause>> = {
  credits_exhausted: 'credits',
  daily_chats: 'daily',
  plan_required: 'asked',
};

export function offerUpgrade({ dispatch }: ControlParts, error: unknown, refused: RefusedAction) {
  const cause = error instanceof ProblemError ? upgradeCauses[error.body.code] : undefined;
  if (cause) dispatch({ type: 'dialog', dialog: { kind: 'upgrade', cause, refused } });
}

/** Includes the price that the page shows. A continuation passes false for `web`. */
export function messageChoice(
  state: ChatState,
  web = state.open.web,
  other?: ChatModel,
): ModelChoice & { price: number } {
  const chosen = other ? { id: other.id, model: other } : chosenModel(state);
  const price = messagePrice(chosen?.model) + Number(web && state.webPrice);
  return { model: chosen?.id, price, web };
}

/** The second model and the price of its reply. */
export function comparedChoice(state: ChatState): Required<ComparedModel> | undefined {
  const model = comparedModel(state);
  return model && { model: model.id, price: messageChoice(state, undefined, model).price };
}

/** Credits for everything that the next message requests. */
export const totalPrice = (state: ChatState): number =>
  state.open.draw
    ? featureTable.image.price
    : messageChoice(state).price + (comparedChoice(state)?.price ?? 0);

/** Leaves out the price if the page offers no choice, or does not know the person yet. */
export function sentChoice(...args: Parameters<typeof messageChoice>): ModelChoice {
  const { price, ...choice } = messageChoice(...args);
  return args[0].me && (choice.web || choice.model !== undefined) ? { ...choice, price } : choice;
}

/** For a message that requests an image. */
export const drawChoice = (draw: ImageSize): ModelChoice => ({ draw, price: featureTable.image.price });

type UnkeyedMessage = Omit<OutgoingMessage, 'key'>;

const messagesPath = ({ chatId }: UnkeyedMessage) => `/api/chats/${chatId}/messages`;

export const withKey = (message: UnkeyedMessage): OutgoingMessage => ({
  ...message,
  key: requestKey(messagesPath(message), toBody(message)),
});

function toBody(sending: UnkeyedMessage): SendMessage {
  const {
    text,
    attachments,
    create,
    assistant,
    temporary,
    projectId,
    replaces,
    parentId,
    owner,
    model,
    price,
    compare,
    web,
    draw,
  } = sending;
  return {
    text,
    ...(owner ? { by: owner } : {}),
    ...(create ? { create, assistant, projectId, ...(temporary ? { temporary } : {}) } : {}),
    ...(replaces ? { replaces } : {}),
    ...(parentId ? { parentId } : {}),
    ...(attachments.length > 0 ? { attachmentIds: attachments.map(({ id }) => id) } : {}),
    model,
    price,
    compare,
    web,
    draw,
  };
}

export function sendMessage(parts: ControlParts, sending: OutgoingMessage) {
  const { latest, dispatch, runs, navigate, returnMessage } = parts;
  const { text, attachments, key, chatId, create, replaces, compare, draw } = sending;
  const keys = { question: newUuid(), reply: newUuid() };
  const live = new LiveText();
  const replaced = latest.current.open.messages.find((turn) => turn.id === replaces)?.key ?? null;
  const now = new Date().toISOString();
  const first = sending.model ?? chatModels()[0]?.id ?? '';
  markSent(local, sending);
  dispatch({
    type: 'sending',
    text,
    attachments,
    keys,
    replaces: replaced,
    web: sending.web,
    draw,
    other: compare && { key: newUuid(), model: compare.model, first },
    live,
    now,
  });
  const request = { path: messagesPath(sending), body: toBody(sending), key };
  void runs.start(
    { request, chatId, ...keys, live },
    {
      accepted() {
        dropDraft(local, draftKeyOf(sending), sending);
        dropPending(local, key);
        // A chosen model that is no longer offered was replaced by the operator's first, as the page has shown.
        if (sending.model === null) dispatch({ type: 'chosen', model: null });
        // A new address renders the whole page, which would delay the first words of the reply.
        afterPaint(() => {
          if (create && latest.current.open.id === chatId) replaceUrl(chatId, navigate);
          clearFoundMessage(chatId, navigate);
        });
      },
      refused(error) {
        const expired = isExpired(error);
        // Another person has signed in meanwhile: neither the text nor its outcome is theirs.
        if (latest.current.owner !== sending.owner) return;
        if (expired) savePending(local, sending);
        else dropPending(local, key);
        dispatch({ type: 'refused', ...keys, notice: { ...toNotice(error, latest.current.me), key } });
        if (latest.current.open.id === chatId) {
          if (replaced !== null) dispatch({ type: 'edit', key: replaced });
          if (draw) dispatch({ type: 'draw', size: draw });
          returnMessage({ text, attachments });
        } else returnToDraft(local, draftKeyOf(sending), sending);
        markSent(local, sending, { text, attachments });
        if (expired) onSessionExpired(create ? '/chat/new' : `/chat/${chatId}`);
        else offerUpgrade(parts, error, 'message');
      },
    },
  );
}
