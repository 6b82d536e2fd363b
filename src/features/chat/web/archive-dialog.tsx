import { ArchiveRestore } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { showError } from '#client/show-error.ts';
import { useLoadMore } from '#client/use-load-more.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { ChatRow } from '../contract.ts';
import { fetchArchivedChats } from './state/archived-chats.ts';
import type { ChatProps } from './state/chat-controls.ts';

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;

function useArchivedChats() {
  const [rows, setRows] = useState<ChatRow[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const load = async (before: string | null) => {
    await fetchArchivedChats(before).then((page) => {
      setRows((current) => {
        const ids = new Set(current?.map(({ id }) => id));
        return [...(current ?? []), ...page.chats.filter(({ id }) => !ids.has(id))];
      });
      setNext(page.next);
    }, showError);
  };
  const first = useRef(load);
  useEffect(() => void first.current(null), []);
  const remove = (id: string) => setRows((current) => current?.filter((row) => row.id !== id) ?? null);
  return { rows, next, more: () => load(next), remove };
}

interface ArchivedRowProps {
  row: ChatRow;
  onOpen: () => void;
  onUnarchive: () => void;
}

function ArchivedRow({ row: { id, title, archivedAt }, onOpen, onUnarchive }: ArchivedRowProps) {
  return (
    <li className="flex items-center gap-2 border-b border-line py-1" data-archived={id}>
      <Link
        className="link grid min-h-(--hit) min-w-0 flex-1 content-center"
        to={`/chat/${id}`}
        onClick={onOpen}
      >
        <span className="truncate" dir="auto">
          {title}
        </span>
        {archivedAt === null ? null : (
          <LocalTime className="text-2xs text-fg-subtle" iso={archivedAt} format={day} title={null} />
        )}
      </Link>
      <IconButton
        Icon={ArchiveRestore}
        label={m.chat_unarchive_named({ title })}
        title={m.chat_unarchive()}
        onClick={onUnarchive}
      />
    </li>
  );
}

export default function ArchiveDialog({ controls }: ChatProps) {
  const { rows, next, more, remove } = useArchivedChats();
  const list = useRef<HTMLUListElement>(null);
  const loading = useLoadMore('dialog', 240, next, more);
  const unarchive = async (id: string) => {
    if (!(await controls.arrange(id, { archived: false }))) return;
    const at = rows?.findIndex((row) => row.id === id) ?? -1;
    const nextId = (rows?.[at + 1] ?? rows?.[at - 1])?.id;
    remove(id);
    // The focused button disappears with its row.
    const button = list.current?.querySelector<HTMLElement>(`[data-archived="${nextId}"] button`);
    (button ?? list.current?.closest('dialog')?.querySelector<HTMLElement>('h2'))?.focus();
  };
  return (
    <Dialog title={m.chat_archive_title()} onClose={() => controls.show(null)}>
      {(close) => (
        <div className="dialog-body text-sm" aria-busy={rows === null}>
          <p role="status" className={rows?.length ? 'visually-hidden' : 'muted'}>
            {rows === null ? m.chat_loading() : rows.length === 0 ? m.chat_archive_empty() : ''}
          </p>
          <ul ref={list}>
            {rows?.map((row) => (
              <ArchivedRow key={row.id} row={row} onOpen={close} onUnarchive={() => void unarchive(row.id)} />
            ))}
          </ul>
          {next === null ? null : (
            <Button ref={loading.button} variant="ghost" aria-busy={loading.busy} onClick={loading.more}>
              {m.common_show_more()}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}
