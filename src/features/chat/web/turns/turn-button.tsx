import { Check, Copy, type LucideIcon } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useCopied } from '../../../../client/use-copied.ts';

interface ButtonProps {
  icon: LucideIcon;
  name: string;
  /** It starts a reply, so it is hidden while one is being written. */
  starts?: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** One of the quiet actions under a turn. */
export function TurnButton({ icon: Icon, name, starts, onClick }: ButtonProps) {
  return (
    <button type="button" className={starts ? 'turn-button turn-starts' : 'turn-button'} onClick={onClick}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {name}
    </button>
  );
}

/** Copies a text; says so for 2 s. */
export function CopyButton({ text, name = 'Copy' }: { text: string; name?: string }) {
  const { copied, copy } = useCopied();
  return (
    <TurnButton icon={copied ? Check : Copy} name={copied ? 'Copied' : name} onClick={() => copy(text)} />
  );
}

/** Leaves the focus in the conversation when the turn that holds the button gives way to another. */
export const keepFocus = (event: MouseEvent<HTMLElement>) =>
  event.currentTarget.closest<HTMLElement>('.chat-scroll')?.focus({ preventScroll: true });
