import { Braces, FileText, Keyboard, Printer } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { ChatControls } from '../state/controls.ts';
import type { HeadAction } from './actions.ts';

interface MenuItemsProps {
  chatId: string;
  stored: boolean;
  actions: HeadAction[];
  controls: ChatControls;
  onPrint: () => void;
}

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const close = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();

const exports = [
  { format: 'md', name: 'Export as Markdown', Icon: FileText },
  { format: 'json', name: 'Export as JSON', Icon: Braces },
];

/** What the menu of the chat holds: on phones what stands in the header elsewhere, then what is needed more seldom. */
export default function MenuItems({ chatId, stored, actions, controls, onPrint }: MenuItemsProps) {
  const item = (name: string, Icon: HeadAction['Icon'], run: () => void, disabled = false) => (
    <button
      key={name}
      type="button"
      className="menu-item"
      disabled={disabled}
      onClick={(event) => {
        close(event);
        run();
      }}
    >
      <Icon {...icon} />
      {name}
    </button>
  );
  return (
    <>
      <div className="chat-menu-narrow">
        {actions.map(({ name, Icon, run, disabled }) => item(name, Icon, run, disabled))}
        <div className="menu-line" />
      </div>
      {stored
        ? exports.map(({ format, name, Icon }) => (
            <a
              key={format}
              className="menu-item"
              href={`/api/chats/${chatId}/export?format=${format}`}
              download=""
              onClick={close}
            >
              <Icon {...icon} />
              {name}
            </a>
          ))
        : null}
      {item('Print', Printer, onPrint)}
      <div className="menu-line" />
      {item('Keyboard shortcuts', Keyboard, () => controls.show({ kind: 'shortcuts' }))}
    </>
  );
}
