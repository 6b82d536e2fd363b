import { m } from '#messages';
import { LocalTime } from '#ui/local-time.tsx';
import type { RecentItem } from './recent-work.server.ts';

const short = { month: 'short', day: 'numeric' } as const;

export function RecentWork({ items }: { items: RecentItem[] }) {
  if (items.length === 0) return <p className="muted">{m.dashboard_recent_none()}</p>;
  return (
    <>
      <ul className="border-t border-fg">
        {items.map(({ path, title, tool, at }) => (
          <li key={path}>
            <a
              className="group flex items-baseline justify-between gap-4 min-h-11 py-3 border-b text-sm border-line"
              href={path}
            >
              <span
                className="min-w-0 group-hover:underline group-hover:underline-offset-[0.18em] overflow-hidden text-ellipsis whitespace-nowrap"
                dir="auto"
              >
                {title}
              </span>
              <span className="flex flex-none gap-3 text-fg-muted">
                <span>{tool}</span>
                <span className="min-w-13 text-end">
                  <LocalTime iso={at} format={short} />
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p className="text-sm">
        <a className="link pointer-coarse:inline-block pointer-coarse:py-3" href="/library">
          {m.dashboard_library()}
        </a>
      </p>
    </>
  );
}
