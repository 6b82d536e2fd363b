import { Check, Mic, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { type Dictation, dictationLimits } from '../contract.ts';
import { dictationLabel } from './dictation-label.ts';
import type { AudioRecorder } from './record-audio.ts';
import { type DictationState, useDictation } from './use-dictation.ts';

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Updates the DOM without rendering, and not at all if the person prefers reduced motion. */
function useLevel(recorder: AudioRecorder): RefObject<HTMLSpanElement | null> {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let frame = requestAnimationFrame(function draw() {
      if (bar.current) bar.current.style.scale = `${0.15 + 0.85 * recorder.level()} 1`;
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [recorder]);
  return bar;
}

function RecordingTime({ recorder, since }: Extract<DictationState, { status: 'recording' }>) {
  const [now, setNow] = useState(since);
  const level = useLevel(recorder);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Mic
        className="shrink-0 text-danger motion-safe:animate-pulse"
        size={16}
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span className="visually-hidden">{m.dictation_recording()}</span>
      <span
        className="h-1.5 w-12 shrink-0 overflow-hidden rounded-full bg-sunken max-sm:hidden"
        aria-hidden="true"
      >
        <span ref={level} className="block h-full origin-left rounded-full bg-danger rtl:origin-right" />
      </span>
      <span className="whitespace-nowrap tabular-nums" dir="ltr">
        {clock((now - since) / 1_000)}
        <span className="text-fg-subtle"> / {clock(dictationLimits.seconds)}</span>
      </span>
    </>
  );
}

/** Handles Esc before the shortcut that stops a reply. */
function useEscape(onEscape: () => void): void {
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  useEffect(() => {
    const listeners = new AbortController();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      latest.current();
    };
    document.addEventListener('keydown', onKey, { capture: true, signal: listeners.signal });
    return () => listeners.abort();
  }, []);
}

interface DictationBarProps {
  me: Me | null;
  /** The recording has ended and is being transcribed. */
  onSent: () => void;
  onDictated: (dictation: Dictation) => void;
  onClose: () => void;
}

/** Records on mount. The text is inserted into the message, which is not sent. */
export default function DictationBar({ me, onSent, onDictated, onClose }: DictationBarProps) {
  const state = useDictation({ onDictated, onClose });
  const bar = useRef<HTMLFieldSetElement>(null);
  const mainButton = useRef<HTMLButtonElement>(null);
  const isSent = state.status === 'transcribing';
  useEscape(onClose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each state has different buttons
  useEffect(() => (mainButton.current ?? bar.current)?.focus({ preventScroll: true }), [state.status]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once per recording
  useEffect(() => {
    if (isSent) onSent();
  }, [isSent]);
  return (
    <fieldset
      ref={bar}
      // Focus waits here, so that a held Enter key does not press Cancel.
      tabIndex={-1}
      className="flex min-h-(--hit) min-w-0 flex-wrap items-center gap-x-2 gap-y-1 ps-2 text-sm text-fg-muted focus:outline-none max-sm:basis-full"
      aria-label={m.tool_dictation()}
    >
      {state.status === 'recording' ? <RecordingTime {...state} /> : null}
      {state.status === 'asking' || isSent ? (
        <>
          <span className="spinner" aria-hidden="true" />
          {isSent ? m.dictation_transcribing() : m.dictation_asking()}
        </>
      ) : null}
      {state.status === 'failed' ? (
        <>
          <p className="min-w-0 grow text-danger" role="alert">
            {state.text}
          </p>
          {state.retry ? (
            <Button ref={mainButton} onClick={state.retry}>
              {dictationLabel(m.common_try_again(), me)}
            </Button>
          ) : null}
          <Button ref={state.retry ? undefined : mainButton} variant="ghost" onClick={onClose}>
            {state.retry ? m.dictation_discard() : m.common_close()}
          </Button>
        </>
      ) : (
        <span className="flex items-center gap-1 max-sm:ms-auto">
          <IconButton Icon={X} label={m.common_cancel()} title={m.common_cancel()} onClick={onClose} />
          {state.status === 'recording' ? (
            <Button ref={mainButton} onClick={state.recorder.stop}>
              <Check size={16} strokeWidth={1.75} aria-hidden="true" />
              {dictationLabel(m.dictation_done(), me)}
            </Button>
          ) : null}
        </span>
      )}
    </fieldset>
  );
}
