import { Clapperboard, Image, type LucideIcon, MessageSquare, PenLine } from 'lucide-react';
import type { MouseEvent } from 'react';
import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { MenuItem } from '#ui/menu.tsx';
import type { Receiver } from './hand-over.ts';

const receivers: Record<Receiver, { Icon: LucideIcon; label: () => string }> = {
  chat: { Icon: MessageSquare, label: m.prompts_open_chat },
  writer: { Icon: PenLine, label: m.handover_writer },
  script: { Icon: Clapperboard, label: m.handover_script },
  image: { Icon: Image, label: m.prompts_open_image },
};

export interface HandOverItemsProps {
  to: readonly Receiver[];
  /** Called when an item is pressed. */
  text: (event: MouseEvent<HTMLElement>, receiver: Receiver) => string | Promise<string>;
}

export default function HandOverList({ to, text }: HandOverItemsProps) {
  const offered = to.filter((receiver) => featureTable[receiver].offered);
  return offered.map((receiver) => {
    const { Icon, label } = receivers[receiver];
    return (
      <MenuItem
        key={receiver}
        onClick={async (event) => {
          // Read both before the first await: the selection may change, and `currentTarget` is cleared.
          const content = text(event, receiver);
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
          const { handOver } = await import('./hand-over.ts');
          await handOver(receiver, content);
        }}
      >
        <Icon size={16} aria-hidden="true" />
        {label()}
      </MenuItem>
    );
  });
}
