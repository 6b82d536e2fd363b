import { m } from '#messages';
import { LongDate } from '../long-date.tsx';
import { ExternalLink } from './external-link.tsx';

interface Source {
  url: string;
  title: string;
  /** YYYY-MM-DD */
  date: string | null;
}

interface SourceListProps {
  sources: readonly Source[];
  /** Id of the element of a number, to which its marks in the text lead. */
  idOf: (number: number) => string;
}

/** Opened by the rules of links in texts: their titles are the words of strangers too. */
export function SourceList({ sources, idOf }: SourceListProps) {
  return (
    <section className="md mt-3 border-t border-line pt-2 text-sm" aria-label={m.chat_sources()}>
      <p className="text-xs font-semibold text-fg-muted">{m.chat_sources()}</p>
      <ol className="list-none ps-0">
        {sources.map(({ url, title, date }, at) => (
          <li
            key={url}
            id={idOf(at + 1)}
            tabIndex={-1}
            className="flex gap-2 py-0.5 wrap-anywhere target:bg-sunken focus:bg-sunken"
          >
            <span className="shrink-0 tabular-nums text-fg-muted" aria-hidden="true">
              [{at + 1}]
            </span>
            <span className="min-w-0" dir="auto">
              <ExternalLink href={url} text={title}>
                {title}
              </ExternalLink>
              {date === null ? null : (
                <span className="ms-2 text-xs text-fg-muted">
                  <LongDate iso={date} />
                </span>
              )}
              <span className="hidden text-xs print:inline"> {url}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
