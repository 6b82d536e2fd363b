import { Pencil, Wand } from 'lucide-react';
import type { KeyboardEvent } from 'react';

interface BlockToolsProps {
  name: string;
  /** One block's buttons are in the order of the Tab key; the arrows lead to the others. */
  current: boolean;
  onFocus: () => void;
  onEdit: () => void;
  onChange: () => void;
  /** Up or down, from which of the two buttons. */
  onStep: (by: 1 | -1, which: number) => void;
}

const steps: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

/** What can be done with a block. */
export function BlockTools({ name, current, onFocus, onEdit, onChange, onStep }: BlockToolsProps) {
  const buttons = [
    { label: 'Edit', Icon: Pencil, run: onEdit },
    { label: 'Change', Icon: Wand, run: onChange },
  ];
  const onKeyDown = (event: KeyboardEvent, which: number) => {
    const by = steps[event.key];
    if (!by) return;
    event.preventDefault();
    onStep(by, which);
  };
  return (
    <div className="doc-tools">
      {buttons.map(({ label, Icon, run }, which) => (
        <button
          key={label}
          type="button"
          className="btn btn-ghost btn-icon"
          tabIndex={current ? 0 : -1}
          aria-label={`${label} ${name}`}
          title={label}
          onFocus={onFocus}
          onKeyDown={(event) => onKeyDown(event, which)}
          onClick={run}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}
