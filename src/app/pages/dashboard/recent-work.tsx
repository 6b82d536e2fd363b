import { LocalTime } from '../../../ui/local-time.tsx';
import type { RecentItem } from './recent.server.ts';

const short = { month: 'short', day: 'numeric' } as const;

/** What was made last, whatever tool made it. */
export function RecentWork({ items }: { items: RecentItem[] }) {
  if (items.length === 0)
    return <p className="muted">Nothing yet. What you write, draw, read and ask about will stand here.</p>;
  return (
    <ul className="recent">
      {items.map(({ path, title, tool, at }) => (
        <li key={path}>
          <a className="recent-link" href={path}>
            <span className="recent-title" dir="auto">
              {title}
            </span>
            <span className="recent-facts">
              <span>{tool}</span>
              <LocalTime iso={at} format={short} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
