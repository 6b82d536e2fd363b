import { ArrowUp, Square } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { featureTable } from '../../../credits/contract.ts';
import { chatLimits } from '../../contract.ts';
import { type ChatState, liveTurn } from '../state/chat-state.ts';
import type { ChatControls, Outgoing } from '../state/controls.ts';
import { joinTexts, keepDraft, readDraft, withdrawPending } from '../state/kept-text.ts';

/** What the page may do with the text that is being written. */
export interface ComposerHandle {
  /** Puts a message back, its text before whatever was typed since. */
  giveBack(message: Outgoing): void;
  /** Shows a text to be edited before it is sent. */
  suggest(text: string): void;
  /** Empties the box if it still holds this text. */
  clearIf(text: string): void;
  text(): string;
  focus(): void;
}

interface ComposerProps {
  ref: Ref<ComposerHandle>;
  state: ChatState;
  controls: ChatControls;
  /** Credits left, for those who pay by credits. */
  credits: number | null;
}

const touchOnly = '(pointer: coarse) and (not (any-pointer: fine))';
const isTouchOnly = () => matchMedia(touchOnly).matches;

/** Where `field-sizing` is unknown the box is grown by script. */
function grow(box: HTMLTextAreaElement) {
  if (CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

/** The box to write in. Its text lives in the element itself, so that typing renders nothing. */
export const Composer = memo(function Composer(props: ComposerProps) {
  const { state, controls, credits } = props;
  const { id: chatId, stored } = state.open;
  const live = liveTurn(state);
  const busy = live !== undefined;
  const box = useRef<HTMLTextAreaElement>(null);
  const [empty, setEmpty] = useState(true);
  const set = (text: string, keep = true) => {
    if (!box.current) return;
    box.current.value = text;
    grow(box.current);
    setEmpty(text.trim() === '');
    if (keep) keepDraft(localStorage, stored ? chatId : null, text);
  };
  const focus = () => {
    if (!isTouchOnly()) box.current?.focus({ preventScroll: true });
  };
  useDraft(chatId, stored, box, (text) => {
    set(text, false);
    focus();
  });
  useImperativeHandle(props.ref, () => ({
    giveBack({ text }) {
      set(joinTexts(text, box.current?.value ?? ''));
      focus();
    },
    suggest(text) {
      set(text);
      withdrawPending(localStorage, stored ? chatId : null);
      focus();
    },
    clearIf(text) {
      if (box.current?.value === text) set('', false);
    },
    text: () => box.current?.value ?? '',
    focus: () => box.current?.focus(),
  }));
  const submit = () => {
    const text = box.current?.value ?? '';
    if (busy || text.trim() === '') return;
    // The draft stays in storage until the server has the message.
    if (controls.send({ text, attachment: null })) set('', false);
    focus();
  };
  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="composer">
        <textarea
          ref={box}
          className="composer-input"
          rows={1}
          maxLength={chatLimits.messageLength}
          placeholder="Message…"
          aria-label="Message"
          autoComplete="off"
          onChange={(event) => {
            set(event.currentTarget.value);
            // While a reply runs, the waiting message is on its way.
            if (!busy) withdrawPending(localStorage, stored ? chatId : null);
          }}
          onKeyDown={(event) => onKey(event, submit)}
        />
        <SendButton busy={busy} stopping={live?.stopping === true} empty={empty} onStop={controls.stop} />
      </div>
      <p className="fine chat-fine">
        {credits === null ? null : <span>{costText(credits)} </span>}
        <span>The assistant can make mistakes. Check what matters.</span>
      </p>
    </form>
  );
});

const costText = (credits: number) => {
  const { price } = featureTable.chat;
  return `${price} ${price === 1 ? 'credit' : 'credits'} a message, ${credits} left.`;
};

/** Enter sends, Shift+Enter breaks; neither while an input method composes, nor on devices with touch alone. */
function onKey(event: KeyboardEvent<HTMLTextAreaElement>, submit: () => void) {
  // Safari ends a composition before the key that ended it; its key code is then 229.
  const composing = event.nativeEvent.isComposing || event.keyCode === 229;
  if (event.key !== 'Enter' || event.shiftKey || composing || isTouchOnly()) return;
  event.preventDefault();
  submit();
}

interface SendButtonProps {
  /** A reply is being written: sending waits, the button stops it. */
  busy: boolean;
  stopping: boolean;
  empty: boolean;
  onStop: () => void;
}

/** Send and Stop share one place. */
function SendButton({ busy, stopping, empty, onStop }: SendButtonProps) {
  if (busy) {
    return (
      <button
        key="stop"
        type="button"
        className="composer-send"
        aria-label="Stop generating"
        disabled={stopping}
        onClick={onStop}
      >
        <Square size={14} fill="currentColor" aria-hidden="true" />
      </button>
    );
  }
  return (
    <button key="send" type="submit" className="composer-send" aria-label="Send message" disabled={empty}>
      <ArrowUp size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

/** Shows the draft of a chat when it is opened. A new chat that gets its address keeps what was typed meanwhile. */
function useDraft(
  chatId: string,
  stored: boolean,
  box: { readonly current: HTMLTextAreaElement | null },
  show: (text: string) => void,
) {
  const shown = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another chat brings another draft
  useLayoutEffect(() => {
    const typed = box.current?.value ?? '';
    box.current?.setAttribute('enterkeyhint', isTouchOnly() ? 'enter' : 'send');
    if (shown.current === chatId) {
      if (stored && typed !== '') keepDraft(localStorage, chatId, typed);
      return;
    }
    const first = shown.current === null;
    shown.current = chatId;
    // What was typed before the page came alive stays.
    show(first && typed !== '' ? typed : readDraft(localStorage, stored ? chatId : null));
  }, [chatId, stored]);
}
