import { Check, ChevronLeft, ChevronRight, Copy, type LucideIcon } from 'lucide-react';
import { type MouseEvent, useLayoutEffect, useRef } from 'react';
import { useClipboard } from '#client/use-clipboard.ts';
import { m } from '#messages';
import { LocalTime } from '#ui/local-time.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import type { Message } from '../state/chat-state.ts';

interface ButtonProps {
  icon: LucideIcon;
  name: string;
  starts?: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
}

const timeFormats = {
  short: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  full: { dateStyle: 'full', timeStyle: 'long' },
} as const;

export const MessageTime = ({ iso }: { iso: string }) => (
  <LocalTime className="turn-time" iso={iso} format={timeFormats.short} title={timeFormats.full} />
);

export function MessageButton({ icon: Icon, name, starts, onClick }: ButtonProps) {
  return (
    <button type="button" className={starts ? 'turn-button turn-starts' : 'turn-button'} onClick={onClick}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {name}
    </button>
  );
}

export function CopyButton({ text }: { text: string }) {
  const { copied, copy } = useClipboard();
  return (
    <MessageButton
      icon={copied ? Check : Copy}
      name={copied ? m.copied() : m.common_copy()}
      onClick={() => copy(text)}
    />
  );
}

type Direction = 'previous' | 'next';

/** The requested version takes over the focus. */
let pressed: { id: string; direction: Direction } | null = null;

export function VersionSwitcher({ turn, controls }: { turn: Message; controls: ChatControls }) {
  const box = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    if (pressed?.id !== turn.id) return;
    const buttons = [...(box.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
    const { direction } = pressed;
    pressed = null;
    (buttons.find((button) => button.dataset.way === direction) ?? buttons[0])?.focus({
      preventScroll: true,
    });
  }, [turn.id]);
  const { versions, id } = turn;
  const at = versions?.indexOf(id) ?? -1;
  if (!versions || versions.length < 2 || at < 0) return null;
  const arrow = (direction: Direction, to: string | undefined) => {
    const Icon = direction === 'previous' ? ChevronLeft : ChevronRight;
    return (
      <button
        type="button"
        className="turn-button turn-icon turn-starts"
        data-way={direction}
        aria-label={direction === 'previous' ? m.chat_version_previous() : m.chat_version_next()}
        disabled={to === undefined}
        onClick={() => {
          if (to === undefined) return;
          pressed = { id: to, direction };
          controls.showVersion(to);
        }}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    );
  };
  return (
    <fieldset ref={box} className="tabular-nums inline-flex items-center">
      <legend className="visually-hidden">{m.chat_versions()}</legend>
      {arrow('previous', versions[at - 1])}
      <span aria-hidden="true">{m.chat_version_short({ at: at + 1, count: versions.length })}</span>
      <span className="visually-hidden">{m.chat_version({ at: at + 1, count: versions.length })}</span>
      {arrow('next', versions[at + 1])}
    </fieldset>
  );
}
