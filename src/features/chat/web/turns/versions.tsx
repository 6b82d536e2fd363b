import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import type { Turn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';

type Way = 'Previous' | 'Next';

/** The button that was pressed; its turn gives way to the version that it asked for, which takes the focus over. */
let pressed: { id: string; way: Way } | null = null;

/** "1 / 2" with the ways to the other versions; nothing where there is only one. */
export function Versions({ turn, controls }: { turn: Turn; controls: ChatControls }) {
  const box = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    if (pressed?.id !== turn.id) return;
    const buttons = [...(box.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
    const { way } = pressed;
    pressed = null;
    (buttons.find((button) => button.ariaLabel?.startsWith(way)) ?? buttons[0])?.focus({
      preventScroll: true,
    });
  }, [turn.id]);
  const { versions, id } = turn;
  const at = versions?.indexOf(id) ?? -1;
  if (!versions || versions.length < 2 || at < 0) return null;
  const arrow = (way: Way, to: string | undefined) => {
    const Icon = way === 'Previous' ? ChevronLeft : ChevronRight;
    return (
      <button
        type="button"
        className="turn-button turn-icon turn-starts"
        aria-label={`${way} version`}
        disabled={to === undefined}
        onClick={() => {
          if (to === undefined) return;
          pressed = { id: to, way };
          controls.showVersion(to);
        }}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    );
  };
  return (
    <fieldset ref={box} className="turn-versions">
      <legend className="visually-hidden">Versions</legend>
      {arrow('Previous', versions[at - 1])}
      <span aria-hidden="true">{`${at + 1} / ${versions.length}`}</span>
      <span className="visually-hidden">{`Version ${at + 1} of ${versions.length}`}</span>
      {arrow('Next', versions[at + 1])}
    </fieldset>
  );
}
