import { Paperclip, Wrench } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { toolIcons } from '#features/tools/web/tool-rail.tsx';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { kindName, type LibraryItem, type LibraryQuery, pathTo } from '../contract.ts';
import { HighlightedText } from './highlighted-text.tsx';
import { ItemMarks } from './item-marks.tsx';

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;

function KindIcon({ kind, size }: Pick<LibraryItem, 'kind'> & { size: number }) {
  const Icon = (kind === 'file' ? Paperclip : toolIcons[kind]) ?? Wrench;
  return <Icon className="shrink-0 text-fg-muted" size={size} strokeWidth={1.75} aria-hidden="true" />;
}

function Details({ kind, at, archived, file }: LibraryItem) {
  return (
    <span className="flex shrink-0 items-baseline gap-3 text-xs whitespace-nowrap text-fg-muted">
      <span>{kindName(kind, 'one')}</span>
      {file ? <span>{formatBytes(file.bytes)}</span> : null}
      {archived ? <span>{m.chat_archived()}</span> : null}
      <LocalTime iso={at} format={day} title={null} />
    </span>
  );
}

const picture = (id: string) => `/api/images/pictures/${id}?w=320`;

interface ItemSelection {
  selected: readonly string[];
  full: boolean;
  toggle: (id: string, event: MouseEvent) => void;
}

interface ItemProps {
  item: LibraryItem;
  /** Its words are passed to a chat, which shows them in its messages. */
  query: LibraryQuery;
  /** While items are being selected, clicking one does not open it. */
  selection: ItemSelection | undefined;
}

const titleId = (id: string) => `item-${id}`;

function OpenOrSelect({
  item,
  query: { q: find },
  selection,
  className,
  boxClass = '',
  children,
}: ItemProps & { className: string; boxClass?: string; children: ReactNode }) {
  const { id, kind } = item;
  if (!selection && kind === 'file')
    return (
      <a className={className} href={`/api/files/${id}`}>
        {children}
      </a>
    );
  if (!selection)
    return (
      <Link className={className} to={pathTo(item, find)} state={{ find }} prefetch="intent">
        {children}
      </Link>
    );
  const checked = selection.selected.includes(id);
  return (
    <label className={`${className} cursor-pointer select-none`}>
      <input
        className={`size-[18px] shrink-0 accent-(--primary) ${boxClass}`}
        type="checkbox"
        aria-labelledby={titleId(id)}
        checked={checked}
        disabled={selection.full && !checked}
        onClick={(event) => selection.toggle(id, event)}
        onChange={() => undefined}
      />
      {children}
    </label>
  );
}

function Row(props: ItemProps) {
  const { id, kind, title, excerpt, pictureId } = props.item;
  const selecting = props.selection !== undefined;
  return (
    <li className="border-b border-line">
      <OpenOrSelect {...props} className="group flex items-center gap-4 py-3">
        <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-sm border border-line bg-sunken">
          {pictureId ? (
            <img className="size-full object-cover" src={picture(pictureId)} alt="" loading="lazy" />
          ) : (
            <KindIcon kind={kind} size={18} />
          )}
        </span>
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
          <span
            id={titleId(id)}
            className="min-w-0 flex-[1_1_14rem] wrap-anywhere underline-offset-4 group-hover:underline"
            dir="auto"
          >
            <HighlightedText pieces={title} />
          </span>
          <Details {...props.item} />
          {excerpt.length > 0 ? (
            <span className="line-clamp-2 basis-full text-xs wrap-anywhere text-fg-muted" dir="auto">
              <HighlightedText pieces={excerpt} />
            </span>
          ) : null}
        </span>
      </OpenOrSelect>
      <ItemMarks {...props} selecting={selecting} className={`pb-3 ${selecting ? 'ps-22' : 'ps-14'}`} />
    </li>
  );
}

function Card(props: ItemProps) {
  const { id, kind, title, excerpt, pictureId } = props.item;
  return (
    <li className="min-w-0">
      <OpenOrSelect
        {...props}
        className="group grid gap-2"
        boxClass="z-1 col-start-1 row-start-1 m-3 self-end"
      >
        <span className="col-start-1 row-start-1 grid aspect-square place-items-center overflow-hidden rounded-sm border border-line bg-sunken group-hover:border-line-strong">
          {pictureId ? (
            <img className="size-full object-cover" src={picture(pictureId)} alt="" loading="lazy" />
          ) : excerpt.length > 0 ? (
            <span
              className="line-clamp-6 self-start justify-self-stretch p-4 text-xs wrap-anywhere text-fg-muted"
              dir="auto"
            >
              <HighlightedText pieces={excerpt} />
            </span>
          ) : (
            <KindIcon kind={kind} size={32} />
          )}
        </span>
        <span
          id={titleId(id)}
          className="line-clamp-2 text-sm wrap-anywhere underline-offset-4 group-hover:underline"
          dir="auto"
        >
          <HighlightedText pieces={title} />
        </span>
        <Details {...props.item} />
      </OpenOrSelect>
      <ItemMarks {...props} selecting={props.selection !== undefined} className="mt-1" />
    </li>
  );
}

const layouts: Record<'list' | 'grid', { className: string; Item: (props: ItemProps) => ReactNode }> = {
  list: { className: '', Item: Row },
  grid: {
    className: 'grid grid-cols-[repeat(auto-fill,minmax(min(14rem,42%),1fr))] gap-x-5 gap-y-8 pt-6',
    Item: Card,
  },
};

interface LibraryItemsProps {
  items: LibraryItem[];
  query: LibraryQuery;
  selection?: ItemSelection;
}

export function LibraryItems({ items, query, selection }: LibraryItemsProps) {
  const { className, Item } = layouts[query.view];
  return (
    <ul id="library-items" className={className}>
      {items.map((item) => (
        <Item key={item.id} item={item} query={query} selection={selection} />
      ))}
    </ul>
  );
}
