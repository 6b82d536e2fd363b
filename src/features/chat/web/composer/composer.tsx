import { ArrowUp, Square } from 'lucide-react';
import {
  lazy,
  memo,
  type KeyboardEvent as ReactKeyboardEvent,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { Link } from 'react-router';
import { m } from '#messages';
import { attachmentLimits, generalAssistant } from '../../contract.ts';
import { AttachButton, AttachmentDropZone } from '../attachments/file-sources.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import { type ChatState, liveMessage, openAssistant } from '../state/chat-state.ts';
import { chosenModel } from '../state/chosen-model.ts';
import type { DraftContent } from '../state/drafts.ts';
import { totalPrice } from '../state/send-message.ts';
import { NextMessageHint } from './composer-notice.tsx';
import type { FinderHandle } from './prompt-finder.tsx';
import { useComposer } from './use-composer.ts';
import { isTouchOnly, onComposerKey } from './use-text-box.ts';

const characterLimitId = 'composer-length';

const CharacterLimit = lazy(() => import('./character-limit.tsx'));
const EditBar = lazy(() => import('./edit-bar.tsx'));
const PromptFinder = lazy(() => import('./prompt-finder.tsx'));
const DrawBar = lazy(() => import('./draw-bar.tsx'));
const MessageOptions = lazy(() => import('./message-options.tsx'));
const UnavailableModelNotice = lazy(async () => ({
  default: (await import('./model-picker.tsx')).UnavailableModelNotice,
}));

export interface ComposerHandle {
  returnMessage(message: DraftContent): void;
  suggest(text: string): void;
  quote(passage: string): void;
  clearIf(text: string): void;
  swap(from: readonly string[], to: string): void;
  focus(): void;
}

interface ComposerProps {
  ref: Ref<ComposerHandle>;
  state: ChatState;
  controls: ChatControls;
  credits: number | null;
}

/** Keeps the text in the element itself, so that typing renders nothing. */
export const Composer = memo(function Composer({ ref, state, controls, credits }: ComposerProps) {
  const live = liveMessage(state);
  const assistant = openAssistant(state);
  const chosen = chosenModel(state);
  const shownAssistant = state.open.own ?? (assistant?.id === generalAssistant ? undefined : assistant);
  const form = useRef<HTMLFormElement>(null);
  const finder = useRef<FinderHandle>(null);
  const composer = useComposer(state, controls);
  const { box, files, textLength, searchWords, waiting } = composer;
  const tooLong = typeof textLength === 'object' ? textLength.tooLong : null;
  useImperativeHandle(ref, () => composer.handle);
  useDevice(live?.stopping === true, composer);
  return (
    <form
      ref={form}
      className="chat-composer max-[60rem]:mt-auto"
      onSubmit={(event) => {
        event.preventDefault();
        composer.submit();
      }}
    >
      {state.editing === null ? null : (
        <Suspense>
          <EditBar box={box} state={state} controls={controls} onCancel={composer.cancelEdit} />
        </Suspense>
      )}
      {state.open.draw || textLength !== 'blank' ? (
        <Suspense>
          <DrawBar box={box} state={state} controls={controls} />
          {tooLong === null ? null : <CharacterLimit id={characterLimitId} length={tooLong} />}
        </Suspense>
      ) : null}
      <NextMessageHint
        isWaiting={composer.next.isWaiting}
        onCancel={() => {
          composer.next.cancel();
          composer.focus();
        }}
      />
      {chosen?.fallback && state.open.model !== null ? (
        <Suspense>
          <UnavailableModelNotice id={state.open.model} chosen={chosen} />
        </Suspense>
      ) : null}
      {searchWords === null ? null : (
        <Suspense>
          <PromptFinder
            ref={finder}
            words={searchWords}
            state={state}
            controls={controls}
            box={box}
            onPick={composer.replaceText}
            onClose={composer.closeFinder}
          />
        </Suspense>
      )}
      <div className="composer">
        <AttachedFiles {...files} waiting={waiting} onRemove={composer.removeFile} />
        <textarea
          ref={box}
          className="composer-input"
          rows={1}
          placeholder={state.open.messages.length > 0 ? m.chat_composer_reply() : m.chat_composer_ask()}
          aria-label={m.chat_composer_label()}
          dir="auto"
          aria-invalid={tooLong !== null}
          aria-describedby={tooLong === null ? undefined : characterLimitId}
          autoComplete="off"
          onChange={composer.onInput}
          onKeyDown={(event) => {
            if (searchWords === null || !onFinderKey(event, finder.current)) onComposerKey(event, composer);
          }}
        />
        <AttachButton
          guest={state.me === null}
          kit={files.kit}
          remaining={attachmentLimits.perMessage - files.pending.length}
          onPrepare={files.prepare}
          onFiles={files.addFiles}
          onAttach={files.attach}
        />
        {chosen || state.webPrice !== null || state.dictates ? (
          <Suspense>
            <MessageOptions state={state} controls={controls} chosen={chosen} box={box} />
          </Suspense>
        ) : null}
        <span className={`min-w-0 truncate px-1 text-sm text-fg-muted ${chosen ? 'max-sm:hidden' : ''}`}>
          {state.open.messages.length > 0 ? shownAssistant?.name : null}
        </span>
        <div className="flex min-w-0 flex-1 basis-11 items-center gap-1 has-[span:not-empty]:basis-40">
          <span className="min-w-0 flex-1 px-2 text-end text-xs text-fg-subtle">
            {credits === null ? null : m.chat_composer_cost({ price: totalPrice(state), credits })}
          </span>
          {live && textLength !== 'blank' && !tooLong && !composer.next.isWaiting ? (
            <button
              type="submit"
              className="composer-send"
              aria-label={m.chat_send_after()}
              onClick={() => composer.focus()}
            >
              <ArrowUp size={18} strokeWidth={1.75} aria-hidden="true" />
            </button>
          ) : null}
          <SendButton
            busy={live !== undefined}
            stopping={live?.stopping === true}
            waiting={waiting}
            disabled={tooLong !== null || (textLength === 'blank' && files.pending.length === 0)}
            onStop={controls.stop}
            onStopWaiting={composer.stopWaiting}
          />
        </div>
      </div>
      <AttachmentDropZone
        inside={form}
        onPrepare={files.prepare}
        onFiles={files.addFiles}
        takesText={state.me !== null}
      />
      <p className="fine pt-1.5 text-center text-2xs">
        {state.me?.instructed ? (
          <>
            <Link to="/settings#settings-instructions">{m.chat_instructed()}</Link> ·{' '}
          </>
        ) : null}
        {state.open.temporary ? <>{m.chat_temporary_note()} · </> : null}
        {m.disclaimer_mistakes()}
      </p>
    </form>
  );
});

function onFinderKey(event: ReactKeyboardEvent, finder: FinderHandle | null): boolean {
  if (event.nativeEvent.isComposing || event.keyCode === 229) return false;
  // While the list of prompts is loading, Enter must not send the words of the search.
  const handled = finder ? finder.onKey(event) : event.key === 'Enter' && !event.shiftKey;
  if (handled) event.preventDefault();
  return handled;
}

function useDevice(stopping: boolean, { box, focus }: Pick<ReturnType<typeof useComposer>, 'box' | 'focus'>) {
  useEffect(() => box.current?.setAttribute('enterkeyhint', isTouchOnly() ? 'enter' : 'send'), [box]);
  useEffect(() => {
    if (stopping) focus();
  }, [stopping, focus]);
}

type AttachedFilesProps = Pick<
  ReturnType<typeof useComposer>['files'],
  'pending' | 'kit' | 'names' | 'retry' | 'unfold'
> & {
  waiting: boolean;
  onRemove: (key: string) => void;
};

function AttachedFiles({ pending, kit, names, retry, unfold, waiting, onRemove }: AttachedFilesProps) {
  if (pending.length === 0) return null;
  if (!kit) return <p className="file-chip">{names.join(', ')}</p>;
  return (
    <kit.FileChips
      pending={pending}
      waiting={waiting}
      onRemove={onRemove}
      onRetry={retry}
      onUnfold={unfold}
    />
  );
}

interface SendButtonProps {
  busy: boolean;
  stopping: boolean;
  waiting: boolean;
  disabled: boolean;
  onStop: () => void;
  onStopWaiting: () => void;
}

function SendButton(props: SendButtonProps) {
  const { busy, stopping, waiting, disabled, onStop, onStopWaiting } = props;
  if (busy) {
    return (
      <button
        key="stop"
        type="button"
        className="composer-send"
        aria-label={m.chat_stop_generating()}
        disabled={stopping}
        onClick={onStop}
      >
        <Square size={14} fill="currentColor" aria-hidden="true" />
      </button>
    );
  }
  if (waiting) {
    return (
      <button
        key="waiting"
        type="button"
        className="composer-send"
        aria-label={m.chat_send_waiting()}
        onClick={onStopWaiting}
      >
        <span className="spinner border-current border-t-transparent" aria-hidden="true" />
      </button>
    );
  }
  return (
    <button key="send" type="submit" className="composer-send" aria-label={m.chat_send()} disabled={disabled}>
      <ArrowUp size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}
