import { Download, FolderInput, type LucideIcon, Tag as TagIcon, Trash2, X } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { toast, undoTime } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { useRowSelection } from '#client/use-row-selection.ts';
import { m } from '#messages';
import { Button, type ButtonProps } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type LibraryItem, type LibraryQuery, libraryLimits, type Tag } from '../contract.ts';
import { actOnItems, downloadItems } from './act-on-items.ts';
import { LibraryItems } from './library-items.tsx';
import type { ProjectOfItem } from './use-library-listing.ts';

const MoveItems = lazy(() => import('./move-items.tsx'));
const TagItems = lazy(() => import('./tag-items.tsx'));

type ActionButtonProps = ButtonProps & { href?: undefined; Icon: LucideIcon; name: string };

/** On narrow screens the name is visible to screen readers only. */
function ActionButton({ Icon, name, ...rest }: ActionButtonProps) {
  return (
    <Button variant="ghost" aria-label={name} title={name} {...rest}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="max-md:hidden">{name}</span>
    </Button>
  );
}

interface BarProps {
  count: number;
  chats: number;
  full: boolean;
  busy: boolean;
  onAll: () => void;
  onTag: () => void;
  onMove: () => void;
  onDownload: () => void;
  onDelete: () => void;
  onDone: () => void;
}

function Bar({ count, chats, full, busy, onAll, onTag, onMove, ...actions }: BarProps) {
  const inactive = count === 0 || busy;
  return (
    <div className="sticky top-0 z-1 flex flex-wrap items-center gap-x-4 border-b border-line-strong bg-bg py-2">
      <p className="text-sm max-md:basis-full" role="status">
        {m.library_selected({ count })}
        {full ? ` ${m.chat_selected_most({ most: libraryLimits.selected })}` : null}
      </p>
      <div
        className="flex flex-1 flex-wrap items-center gap-1"
        role="toolbar"
        aria-label={m.library_selection()}
        aria-busy={busy}
      >
        <Button variant="ghost" onClick={onAll}>
          {count === 0 ? m.chat_select_all() : m.chat_select_none()}
        </Button>
        <span className="flex-1" />
        <ActionButton Icon={TagIcon} name={m.tag_edit()} disabled={inactive} onClick={onTag} />
        <ActionButton
          Icon={FolderInput}
          name={m.project_move()}
          disabled={busy || chats === 0}
          onClick={onMove}
        />
        <ActionButton
          Icon={Download}
          name={m.common_download()}
          disabled={inactive}
          onClick={actions.onDownload}
        />
        <ActionButton Icon={Trash2} name={m.common_delete()} disabled={inactive} onClick={actions.onDelete} />
        <IconButton
          Icon={X}
          label={m.chat_select_end()}
          title={m.chat_select_end()}
          onClick={actions.onDone}
        />
      </div>
    </div>
  );
}

const textOf = (title: LibraryItem['title']) => title.map(({ text }) => text).join('');

interface Refusal {
  item: LibraryItem;
  error: string;
}

function Refusals({ refused }: { refused: Refusal[] }) {
  if (refused.length === 0) return null;
  return (
    <Notice as="div" kind="danger" className="mt-4">
      <p className="font-semibold">{m.library_delete_failed({ count: refused.length })}</p>
      <ul>
        {refused.map(({ item, error }) => (
          <li key={item.id} className="wrap-anywhere">
            <bdi>{textOf(item.title)}</bdi>: {error}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface LibrarySelectionProps {
  items: LibraryItem[];
  query: LibraryQuery;
  onDeleted: (ids: string[]) => void;
  onRestored: (ids: string[]) => void;
  onMoved: (projects: ReadonlyMap<string, ProjectOfItem>) => void;
  onTagged: (tagsOf: ReadonlyMap<string, Tag[]>, allTags: Tag[]) => void;
  onDone: () => void;
}

export default function LibrarySelection(props: LibrarySelectionProps) {
  const { items, query, onDeleted, onRestored, onMoved, onTagged, onDone } = props;
  const ids = items.map(({ id }) => id);
  const { selected, full, toggle, toggleAll } = useRowSelection(ids, libraryLimits.selected);
  const [busy, setBusy] = useState(false);
  const [dialog, setDialog] = useState<'move' | 'tag' | null>(null);
  const [refused, setRefused] = useState<Refusal[]>([]);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('input')?.focus(), []);
  const chosen = items.filter(({ id }) => selected.includes(id));
  const chats = chosen.filter(({ kind }) => kind === 'chat');

  async function restore(deleted: LibraryItem[]) {
    try {
      const outcome = await actOnItems('restore', deleted);
      onRestored(outcome.done);
      const [first] = outcome.refused;
      if (first) toast({ title: m.common_error(), text: first.error, kind: 'danger' });
    } catch (error) {
      showError(error);
    }
  }
  async function remove() {
    setBusy(true);
    try {
      const outcome = await actOnItems('delete', chosen);
      const errors = new Map(outcome.refused.map(({ id, error }) => [id, error]));
      const deleted = chosen.filter(({ id }) => outcome.done.includes(id));
      setRefused(
        chosen.flatMap((item) => {
          const error = errors.get(item.id);
          return error === undefined ? [] : { item, error };
        }),
      );
      onDeleted(outcome.done);
      const undo = { label: m.common_undo(), run: () => void restore(deleted) };
      if (deleted.length > 0)
        toast({ text: m.library_deleted({ count: deleted.length }), action: undo, durationMs: undoTime });
      if (errors.size === 0) return onDone();
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  }
  async function download() {
    setBusy(true);
    await downloadItems(chosen);
    setBusy(false);
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !dialog) onDone();
  };
  return (
    <section ref={box} aria-label={m.library_select()} onKeyDown={onKey}>
      <Bar
        {...{ full, busy, onDone }}
        count={selected.length}
        chats={chats.length}
        onAll={toggleAll}
        onTag={() => setDialog('tag')}
        onMove={() => setDialog('move')}
        onDownload={() => void download()}
        onDelete={() => void remove()}
      />
      <Refusals refused={refused} />
      <LibraryItems items={items} query={query} selection={{ selected, full, toggle }} />
      <Suspense>
        {dialog === 'move' ? (
          <MoveItems items={chosen} onMoved={onMoved} onClose={() => setDialog(null)} />
        ) : dialog === 'tag' ? (
          <TagItems items={chosen} onTagged={onTagged} onClose={() => setDialog(null)} />
        ) : null}
      </Suspense>
    </section>
  );
}
