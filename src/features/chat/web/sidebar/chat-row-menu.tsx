import { Archive, Download, FolderInput, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { m } from '#messages';
import type { ChatRow } from '../../contract.ts';
import { chatExports, exportChat } from '../state/export-chat.ts';
import { PopupItem, PopupMenu, type PopupMenuProps } from './popup-menu.tsx';

interface ChatRowMenuProps extends PopupMenuProps {
  row: ChatRow;
  onRename: () => void;
  onPin: () => void;
  onArchive: () => void;
  onMove: () => void;
  onDelete: () => void;
}

export default function ChatRowMenu({
  row,
  onRename,
  onPin,
  onArchive,
  onMove,
  onDelete,
  ...menu
}: ChatRowMenuProps) {
  const pinned = row.pinnedAt !== null;
  return (
    <PopupMenu label={m.chat_row_options({ title: row.title })} {...menu}>
      <PopupItem Icon={Pencil} name={m.common_rename()} onChoose={onRename} />
      {chatExports.map(({ format, name }) => (
        <PopupItem key={format} Icon={Download} name={name()} onChoose={() => exportChat(row.id, format)} />
      ))}
      <hr className="menu-line border-0" />
      <PopupItem
        Icon={pinned ? PinOff : Pin}
        name={pinned ? m.chat_unpin() : m.chat_pin()}
        onChoose={onPin}
      />
      <PopupItem Icon={FolderInput} name={m.project_move()} onChoose={onMove} />
      <PopupItem Icon={Archive} name={m.chat_archive()} onChoose={onArchive} />
      <PopupItem Icon={Trash2} name={m.common_delete()} onChoose={onDelete} />
    </PopupMenu>
  );
}
