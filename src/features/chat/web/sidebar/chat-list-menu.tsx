import { Archive, FolderPlus, ListChecks } from 'lucide-react';
import { m } from '#messages';
import { PopupItem, PopupMenu, type PopupMenuProps } from './popup-menu.tsx';

interface ChatListMenuProps extends PopupMenuProps {
  onSelect: () => void;
  onArchive: () => void;
  onNewProject: () => void;
}

export default function ChatListMenu({ onSelect, onArchive, onNewProject, ...menu }: ChatListMenuProps) {
  return (
    <PopupMenu label={m.chat_list_options()} {...menu}>
      <PopupItem Icon={ListChecks} name={m.chat_select()} onChoose={onSelect} />
      <PopupItem Icon={Archive} name={m.chat_archive_title()} onChoose={onArchive} />
      <PopupItem Icon={FolderPlus} name={m.project_new()} onChoose={onNewProject} />
    </PopupMenu>
  );
}
