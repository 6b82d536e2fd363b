import {
  Archive,
  ArchiveRestore,
  Bot,
  Braces,
  FileText,
  FolderInput,
  Keyboard,
  type LucideIcon,
  Pin,
  PinOff,
  Printer,
  Share2,
} from 'lucide-react';
import type { MouseEvent } from 'react';
import { m } from '#messages';
import { MenuItem } from '#ui/menu.tsx';
import type { ChatControls } from '../state/chat-controls.ts';
import { chatExports, exportChat } from '../state/export-chat.ts';

export interface HeaderAction {
  id: 'rename' | 'reply' | 'edit' | 'delete';
  name: string;
  Icon: LucideIcon;
  run: () => void;
  disabled?: boolean;
  always?: boolean;
}

interface ChatMenuItemsProps {
  chatId: string;
  stored: boolean;
  temporary: boolean;
  pinned: boolean;
  archived: boolean;
  actions: HeaderAction[];
  controls: ChatControls;
  onPrint: () => void;
}

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

const close = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();

const openShare = async (chatId: string) => {
  const { openShareDialog } = await import('#features/shares/web/share-dialog.tsx');
  openShareDialog({ kind: 'chat', chatId });
};

export default function ChatMenuItems(props: ChatMenuItemsProps) {
  const { chatId, stored, temporary, pinned, archived, actions, controls, onPrint } = props;
  const item = (name: string, Icon: HeaderAction['Icon'], run: () => void, disabled = false) => (
    <MenuItem
      key={name}
      disabled={disabled}
      onClick={(event) => {
        close(event);
        run();
      }}
    >
      <Icon {...icon} />
      {name}
    </MenuItem>
  );
  return (
    <>
      <div className="hidden @max-[44rem]/chat-head:block">
        {actions.map(({ name, Icon, run, disabled }) => item(name, Icon, run, disabled))}
        <div className="menu-line" />
      </div>
      {stored && !archived && !temporary
        ? item(
            pinned ? m.chat_unpin() : m.chat_pin(),
            pinned ? PinOff : Pin,
            () => void controls.arrange(chatId, { pinned: !pinned }),
          )
        : null}
      {stored && !temporary
        ? item(
            archived ? m.chat_unarchive() : m.chat_archive(),
            archived ? ArchiveRestore : Archive,
            () => void controls.arrange(chatId, { archived: !archived }),
          )
        : null}
      {stored ? item(m.assistant_change(), Bot, () => controls.show({ kind: 'assistants' })) : null}
      {stored && !temporary
        ? item(m.project_move(), FolderInput, () => controls.show({ kind: 'move', ids: [chatId] }))
        : null}
      {stored && !temporary ? item(m.share_menu(), Share2, () => void openShare(chatId)) : null}
      {stored
        ? chatExports.map(({ format, name }) =>
            item(name(), format === 'md' ? FileText : Braces, () => exportChat(chatId, format)),
          )
        : null}
      {item(m.chat_print(), Printer, onPrint)}
      <div className="menu-line" />
      {item(m.chat_shortcuts(), Keyboard, () => controls.show({ kind: 'shortcuts' }))}
    </>
  );
}
