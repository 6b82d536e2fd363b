import { Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { toolIcons } from '#features/tools/web/tool-rail.tsx';
import { m } from '#messages';
import { LocalTime } from '#ui/local-time.tsx';
import { kindName, type LibraryItem } from '../contract.ts';
import { HighlightedText } from './highlighted-text.tsx';

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;

function KindIcon({ kind, size }: Pick<LibraryItem, 'kind'> & { size: number }) {
  const Icon = toolIcons[kind] ?? Wrench;
  return <Icon className="shrink-0 text-fg-muted" size={size} strokeWidth={1.75} aria-hidden="true" />;
}

function Details({ kind, at, archived }: LibraryItem) {
  return (
    <span className="flex shrink-0 items-baseline gap-3 text-xs whitespace-nowrap text-fg-muted">
      <span>{kindName(kind, 'one')}</span>
      {archived ? <span>{m.chat_archived()}</span> : null}
      <LocalTime iso={at} format={day} title={null} />
    </span>
  );
}

const picture = (id: string) => `/api/images/pictures/${id}?w=320`;

interface ItemProps {
  item: LibraryItem;
  /** What is searched for, which a chat shows in its messages. */
  find: string;
}

function Row({ item, find }: ItemProps) {
  const { kind, path, title, excerpt, pictureId } = item;
  return (
    <li className="border-b border-line">
      <Link className="group flex items-center gap-4 py-3" to={path} state={{ find }} prefetch="intent">
        <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-sm border border-line bg-sunken">
          {pictureId ? (
            <img className="size-full object-cover" src={picture(pictureId)} alt="" loading="lazy" />
          ) : (
            <KindIcon kind={kind} size={18} />
          )}
        </span>
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
          <span
            className="min-w-0 flex-[1_1_14rem] wrap-anywhere underline-offset-4 group-hover:underline"
            dir="auto"
          >
            <HighlightedText pieces={title} />
          </span>
          <Details {...item} />
          {excerpt.length > 0 ? (
            <span className="line-clamp-2 basis-full text-xs wrap-anywhere text-fg-muted" dir="auto">
              <HighlightedText pieces={excerpt} />
            </span>
          ) : null}
        </span>
      </Link>
    </li>
  );
}

function Card({ item, find }: ItemProps) {
  const { kind, path, title, excerpt, pictureId } = item;
  return (
    <li className="min-w-0">
      <Link className="group grid gap-2" to={path} state={{ find }} prefetch="intent">
        <span className="grid aspect-square place-items-center overflow-hidden rounded-sm border border-line bg-sunken group-hover:border-line-strong">
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
          className="line-clamp-2 text-sm wrap-anywhere underline-offset-4 group-hover:underline"
          dir="auto"
        >
          <HighlightedText pieces={title} />
        </span>
        <Details {...item} />
      </Link>
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
  view: 'list' | 'grid';
  find: string;
}

export function LibraryItems({ items, view, find }: LibraryItemsProps) {
  const { className, Item } = layouts[view];
  return (
    <ul id="library-items" className={className}>
      {items.map((item) => (
        <Item key={item.id} item={item} find={find} />
      ))}
    </ul>
  );
}
