import { Mic } from 'lucide-react';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { prepareAnnouncer } from '#client/announce.ts';
import { useIsHydrated } from '#client/use-is-hydrated.ts';
import type { Me } from '#features/accounts/contract.ts';
import { priceFor } from '#features/credits/web/price-label.ts';
import { m } from '#messages';
import type { Dictation } from '../contract.ts';
import { dictationLabel } from './dictation-label.ts';
import { insertText } from './insert-text.ts';

const DictationBar = lazy(() => import('./dictation-bar.tsx'));

interface DictateButtonProps {
  me: Me;
  box: RefObject<HTMLTextAreaElement | null>;
  /** Identifies what the text box edits: the chat's next message, or an earlier question. */
  place: string;
  /** Receives the text if the box has switched to another place meanwhile. */
  onTextAfterSwitch: (text: string) => void;
  onLackOfCredits: () => void;
  onPaid: (credits: number | null) => void;
  /** May move the focus; otherwise it returns to the button. */
  onEnd: () => void;
}

/** Renders nothing if the browser cannot record. */
export function DictateButton(props: DictateButtonProps) {
  const { me, box, place, onTextAfterSwitch, onLackOfCredits, onPaid, onEnd } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** The place that the recording in progress belongs to. */
  const recordedFor = useRef({ place, onTextElsewhere: onTextAfterSwitch });
  const isAlive = useIsHydrated();
  if (!isAlive) return <span className="size-(--hit) shrink-0" />;
  if (!('MediaRecorder' in window)) return null;
  const price = priceFor(me, 'dictation') ?? 0;
  const label = dictationLabel(m.dictation_start(), me);
  const close = () => {
    setOpen(false);
    onEnd();
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    });
  };
  const insert = ({ text, credits }: Dictation) => {
    const target = recordedFor.current;
    if (target.place !== place) target.onTextElsewhere(text);
    else if (box.current) insertText(box.current, text);
    onPaid(credits);
  };
  if (open)
    return (
      <Suspense>
        <DictationBar
          me={me}
          onSent={() => {
            recordedFor.current = { place, onTextElsewhere: onTextAfterSwitch };
          }}
          onDictated={insert}
          onClose={close}
        />
      </Suspense>
    );
  return (
    <button
      ref={button}
      type="button"
      className="flex h-(--hit) min-w-(--hit) shrink-0 items-center justify-center rounded-full text-fg-muted hover:bg-sunken hover:text-fg"
      aria-label={label}
      title={label}
      onClick={() => {
        if (price > me.credits) return onLackOfCredits();
        prepareAnnouncer();
        setOpen(true);
      }}
    >
      <Mic size={16} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}
