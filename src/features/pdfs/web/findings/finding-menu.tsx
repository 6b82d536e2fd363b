import { Ellipsis } from 'lucide-react';
import { featureTable } from '#features/credits/contract.ts';
import type { Receiver } from '#features/tools/web/hand-over.ts';
import { HandOverItems } from '#features/tools/web/hand-over-items.tsx';
import { m } from '#messages';
import { Menu } from '#ui/menu.tsx';
import type { Quote } from '../../contract.ts';
import { findingMarkdown } from '../../quoted-finding.ts';

/** For the element that contains the menu, which goes at its end. */
export const withMenuClass = 'grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 *:col-start-1';

const receivers: readonly Receiver[] = ['writer', 'chat'];

interface FindingMenuProps {
  heading?: string;
  statements: { text: string; quotes: Quote[] }[];
}

/** Sends one finding to another tool, with its quotes and their pages. */
export function FindingMenu({ heading, statements }: FindingMenuProps) {
  if (!receivers.some((receiver) => featureTable[receiver].offered)) return null;
  const name = (heading ?? statements[0]?.text ?? '').slice(0, 60);
  return (
    <div className="col-start-2! row-start-1 -my-2">
      <Menu
        align="end"
        button={{
          variant: 'ghost',
          size: 'icon',
          children: <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />,
          title: m.handover_use(),
          // Many menus on the page have the same label.
          'aria-label': `${m.handover_use()} ${name}`,
        }}
      >
        <HandOverItems to={receivers} text={() => findingMarkdown(heading ?? null, statements)} />
      </Menu>
    </div>
  );
}
