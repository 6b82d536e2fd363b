import { Archive } from 'lucide-react';
import { m } from '#messages';
import { PopupItem, PopupMenu, type PopupMenuProps } from './popup-menu.tsx';

interface ChatListMenuProps extends PopupMenuProps {
  onArchive: () => void;
}

export default function ChatListMenu({ onArchive, ...menu }: ChatListMenuProps) {
  return (
    <PopupMenu label={m.chat_list_options()} {...menu}>
      <PopupItem Icon={Archive} name={m.chat_archive_title()} onChoose={onArchive} />
    </PopupMenu>
  );
}
