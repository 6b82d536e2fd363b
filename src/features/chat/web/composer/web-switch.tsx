import { Globe } from 'lucide-react';
import { useIsHydrated } from '#client/use-is-hydrated.ts';
import { formatCredits, planLimits } from '#features/credits/contract.ts';
import { m } from '#messages';
import type { ChatProps } from '../state/chat-controls.ts';

export function WebSwitch({ state, controls }: ChatProps) {
  const { webPrice: price } = state;
  const { web: on } = state.open;
  const isAlive = useIsHydrated();
  if (price === null) return null;
  const isFree = state.me !== null && !planLimits[state.me.plan].unlimited;
  return (
    <button
      type="button"
      className="flex h-(--hit) min-w-(--hit) shrink-0 items-center justify-center gap-1.5 rounded-full border border-transparent px-2.5 text-sm text-fg-muted hover:bg-sunken hover:text-fg aria-pressed:border-line-strong aria-pressed:bg-sunken aria-pressed:text-fg"
      aria-pressed={on}
      aria-disabled={isAlive ? undefined : true}
      aria-label={m.chat_web()}
      title={isFree && price > 0 ? m.chat_web_price({ price: formatCredits(price) }) : m.chat_web()}
      onClick={() => controls.searchWeb(!on)}
    >
      <Globe size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={on ? 'max-sm:hidden' : 'hidden'}>{m.chat_web()}</span>
    </button>
  );
}
