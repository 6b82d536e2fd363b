import { Mic } from 'lucide-react';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { prepareAnnouncer } from '#client/announce.ts';
import { useIsAlive } from '#client/use-is-alive.ts';
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
  /** What the box holds: a chat's next message, or a question that is edited. */
  place: string;
  /** Said for this place, while the box holds another one by now. */
  onTextElsewhere: (text: string) => void;
  onLackOfCredits: () => void;
  onPaid: (credits: number | null) => void;
  /** Where the focus goes on; else it comes back to the button. */
  onEnd: () => void;
}

/** Nothing where the browser cannot record. */
export function DictateButton(props: DictateButtonProps) {
  const { me, box, place, onTextElsewhere, onLackOfCredits, onPaid, onEnd } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** What is being written down was said for it. */
  const spokenFor = useRef({ place, onTextElsewhere });
  const isAlive = useIsAlive();
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
  const put = ({ text, credits }: Dictation) => {
    const then = spokenFor.current;
    if (then.place !== place) then.onTextElsewhere(text);
    else if (box.current) insertText(box.current, text);
    onPaid(credits);
  };
  if (open)
    return (
      <Suspense>
        <DictationBar
          me={me}
          onSent={() => {
            spokenFor.current = { place, onTextElsewhere };
          }}
          onDictated={put}
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
