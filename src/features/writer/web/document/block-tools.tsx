import { Pencil, Wand } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { m } from '#messages';
import { IconButton } from '#ui/icon-button.tsx';

interface BlockToolsProps {
  name: string;
  /** One block's buttons are in the order of the Tab key; the arrows lead to the others. */
  current: boolean;
  onFocus: () => void;
  onEdit: () => void;
  onChange: () => void;
  onStep: (by: 1 | -1, which: number) => void;
}

const steps: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

export function BlockTools({ name, current, onFocus, onEdit, onChange, onStep }: BlockToolsProps) {
  const buttons = [
    { label: m.writer_block_edit({ block: name }), title: m.common_edit(), Icon: Pencil, run: onEdit },
    { label: m.writer_block_change({ block: name }), title: m.writer_change(), Icon: Wand, run: onChange },
  ];
  const onKeyDown = (event: KeyboardEvent, which: number) => {
    const by = steps[event.key];
    if (!by) return;
    event.preventDefault();
    onStep(by, which);
  };
  return (
    <div className="doc-tools">
      {buttons.map(({ label, title, Icon, run }, which) => (
        <IconButton
          key={label}
          tabIndex={current ? 0 : -1}
          label={label}
          title={title}
          onFocus={onFocus}
          onKeyDown={(event) => onKeyDown(event, which)}
          onClick={run}
          Icon={Icon}
        />
      ))}
    </div>
  );
}
