import {
  type KeyboardEvent,
  lazy,
  memo,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { featureTable } from '../../../credits/contract.ts';
import { type ChatState, liveTurn } from '../state/chat-state.ts';
import type { ChatControls, Outgoing } from '../state/controls.ts';
import { AttachButton } from './attach-button.tsx';
import { BusyLine } from './busy-line.tsx';
import { EditBar } from './edit-bar.tsx';
import { FileDrop } from './files/file-drop.tsx';
import type { FinderHandle } from './finder/prompt-finder.tsx';
import { onComposerKey } from './keys.ts';
import { LengthLine, lengthLineId } from './length-line.tsx';
import { SendButton } from './send-button.tsx';
import { isTouchOnly } from './touch.ts';
import { useWriting } from './use-writing.ts';
import './composer.css';

const PromptFinder = lazy(() => import('./finder/prompt-finder.tsx'));

/** What the page may do with the text that is being written. */
export interface ComposerHandle {
  /** Puts a message back, its text before whatever was typed since. */
  giveBack(message: Outgoing): void;
  /** Shows a text to be edited before it is sent. */
  suggest(text: string): void;
  /** Empties the box if it still holds this text. */
  clearIf(text: string): void;
  /** Shows another suggestion where the box holds nothing but one of these texts. */
  swap(from: readonly string[], to: string): void;
  focus(): void;
}

interface ComposerProps {
  ref: Ref<ComposerHandle>;
  state: ChatState;
  controls: ChatControls;
  /** Credits left, for those who pay by credits. */
  credits: number | null;
}

/** The box to write in. Its text lives in the element itself, so that typing renders nothing. */
export const Composer = memo(function Composer({ ref, state, controls, credits }: ComposerProps) {
  const live = liveTurn(state);
  const form = useRef<HTMLFormElement>(null);
  const finder = useRef<FinderHandle>(null);
  const writing = useWriting(state, controls);
  const { box, files, extent, sought, waiting } = writing;
  const tooLong = typeof extent === 'object' ? extent.tooLong : null;
  useImperativeHandle(ref, () => writing.handle);
  useDevice(live?.stopping === true, writing);
  return (
    <form
      ref={form}
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        writing.submit();
      }}
    >
      {state.editing === null ? null : <EditBar box={box} onCancel={writing.cancelEdit} />}
      {tooLong === null ? null : <LengthLine length={tooLong} />}
      <BusyLine shown={writing.refused} />
      {sought === null ? null : (
        <Suspense>
          <PromptFinder
            ref={finder}
            words={sought}
            chatId={state.open.stored ? state.open.id : null}
            box={box}
            onTake={writing.replaceText}
            onClose={writing.closeFinder}
          />
        </Suspense>
      )}
      <div className="composer">
        <AttachedFile {...files} waiting={waiting} onRemove={writing.removeFile} />
        <AttachButton guest={state.me === null} onNear={files.prepare} onFiles={files.take} />
        <textarea
          ref={box}
          className="composer-input"
          rows={1}
          placeholder="Message…"
          aria-label="Message"
          aria-invalid={tooLong !== null}
          aria-describedby={tooLong === null ? undefined : lengthLineId}
          autoComplete="off"
          onChange={writing.onInput}
          onKeyDown={(event) => {
            if (sought === null || !onFinderKey(event, finder.current)) onComposerKey(event, writing);
          }}
        />
        <SendButton
          busy={live !== undefined}
          stopping={live?.stopping === true}
          waiting={waiting}
          disabled={tooLong !== null || (extent === 'blank' && !files.held)}
          onStop={controls.stop}
          onStopWaiting={writing.stopWaiting}
        />
      </div>
      <FileDrop inside={form} onNear={files.prepare} onFiles={files.take} />
      <p className="fine chat-fine">
        {credits === null ? null : <span>{costText(credits)} </span>}
        <span>The assistant can make mistakes. Check what matters.</span>
      </p>
    </form>
  );
});

/** Keys that belong to the list of prompts while it is open; false for all others. */
function onFinderKey(event: KeyboardEvent, finder: FinderHandle | null): boolean {
  if (event.nativeEvent.isComposing || event.keyCode === 229) return false;
  // What was typed to find a prompt is not sent while the list is still being fetched.
  const taken = finder ? finder.onKey(event) : event.key === 'Enter' && !event.shiftKey;
  if (taken) event.preventDefault();
  return taken;
}

const costText = (credits: number) => {
  const { price } = featureTable.chat;
  return `${price} ${price === 1 ? 'credit' : 'credits'} a message, ${credits} left.`;
};

/** The key of a phone's keyboard says what it does, and Stop leaves the focus where one goes on: in the box. */
function useDevice(stopping: boolean, { box, focus }: Pick<ReturnType<typeof useWriting>, 'box' | 'focus'>) {
  useEffect(() => box.current?.setAttribute('enterkeyhint', isTouchOnly() ? 'enter' : 'send'), [box]);
  useEffect(() => {
    if (stopping) focus();
  }, [stopping, focus]);
}

type AttachedFileProps = Pick<ReturnType<typeof useWriting>['files'], 'held' | 'kit' | 'name' | 'retry'> & {
  waiting: boolean;
  onRemove: () => void;
};

/** The file that goes with the message; its name alone until the code that shows it is loaded. */
function AttachedFile({ held, kit, name, retry, waiting, onRemove }: AttachedFileProps) {
  if (!held) return null;
  if (!kit) return <p className="file-chip">{name}</p>;
  return <kit.FileChip held={held} waiting={waiting} onRemove={onRemove} onRetry={retry} />;
}
