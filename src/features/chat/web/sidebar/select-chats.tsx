import { Archive, Download, FolderInput, Trash2, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLoadMore } from '#client/use-load-more.ts';
import { useRowSelection } from '#client/use-row-selection.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { type ChatRow, chatLimits } from '../../contract.ts';
import { exportSelection } from '../state/act-on-selection.ts';
import type { ChatControls } from '../state/chat-controls.ts';
import { groupChats } from './group-by-day.ts';

interface SelectChatsProps {
  chats: ChatRow[];
  next: string | null;
  today: number;
  zone: string | undefined;
  controls: ChatControls;
  onDone: () => void;
}

interface ToolbarProps {
  selected: string[];
  full: boolean;
  busy: boolean;
  onAction: (action: 'archive' | 'delete') => void;
  onMove: () => void;
  onAll: () => void;
  onDone: () => void;
}

function Toolbar({ selected, full, busy, onAction, onMove, onAll, onDone }: ToolbarProps) {
  const none = selected.length === 0;
  return (
    <div className="chat-select-bar sticky top-0 z-1 border-b border-line bg-sunken py-1">
      <p className="px-2.5 text-xs text-fg-muted" role="status">
        {m.chat_selected({ count: selected.length })}
        {full ? ` ${m.chat_selected_most({ most: chatLimits.selected })}` : null}
      </p>
      <div className="flex items-center" role="toolbar" aria-label={m.chat_select()}>
        <Button variant="ghost" onClick={onAll}>
          {none ? m.chat_select_all() : m.chat_select_none()}
        </Button>
        <span className="flex-1" />
        <IconButton
          Icon={FolderInput}
          label={m.project_move()}
          title={m.project_move()}
          disabled={none || busy}
          onClick={onMove}
        />
        <IconButton
          Icon={Archive}
          label={m.chat_archive()}
          title={m.chat_archive()}
          disabled={none || busy}
          onClick={() => onAction('archive')}
        />
        <IconButton
          Icon={Download}
          label={m.chat_export_markdown()}
          title={m.chat_export_markdown()}
          disabled={none || busy}
          onClick={() => void exportSelection(selected)}
        />
        <IconButton
          Icon={Trash2}
          label={m.common_delete()}
          title={m.common_delete()}
          disabled={none || busy}
          onClick={() => onAction('delete')}
        />
        <IconButton Icon={X} label={m.chat_select_end()} title={m.chat_select_end()} onClick={onDone} />
      </div>
    </div>
  );
}

export default function SelectChats({ chats, next, today, zone, controls, onDone }: SelectChatsProps) {
  const groups = groupChats(chats, today, zone);
  const { selected, full, toggle, toggleAll } = useRowSelection(
    groups.flatMap(({ rows }) => rows.map(({ id }) => id)),
    chatLimits.selected,
  );
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLElement>(null);
  const more = useLoadMore('.chat-side-lists', 240, next, controls.loadChats);
  useEffect(() => box.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  const apply = async (action: 'archive' | 'delete') => {
    setBusy(true);
    const done = await controls.actOnSelection(selected, action);
    setBusy(false);
    if (done) onDone();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Keeps the surrounding drawer open.
    event.preventDefault();
    event.stopPropagation();
    onDone();
  };
  return (
    <nav ref={box} aria-label={m.chat_select()} onKeyDown={onKey}>
      <Toolbar
        {...{ selected, full, busy, onDone }}
        onAction={(action) => void apply(action)}
        onAll={toggleAll}
        onMove={() => controls.show({ kind: 'move', ids: selected, onMoved: onDone })}
      />
      {groups.map(({ label, rows }) => (
        <fieldset key={label}>
          <legend className="px-2.5 pt-1.5 pb-0.5 text-2xs font-normal text-fg-subtle">{label}</legend>
          {rows.map(({ id, title }) => (
            <label key={id} className="nav-item flex min-h-(--hit) cursor-pointer items-center gap-2">
              <input
                className="size-[18px] shrink-0 accent-(--primary)"
                type="checkbox"
                checked={selected.includes(id)}
                disabled={full && !selected.includes(id)}
                onClick={(event) => toggle(id, event)}
                onChange={() => undefined}
              />
              <span className="min-w-0 flex-1 truncate" dir="auto">
                {title}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      {next === null ? null : (
        <Button ref={more.button} variant="ghost" aria-busy={more.busy} onClick={more.more}>
          {m.common_show_more()}
        </Button>
      )}
    </nav>
  );
}
