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
  /** Returns the id of the element for a number, which the marks in the text link to. */
  idOf: (number: number) => string;
}

/** Links follow the same rules as in model texts, because their titles also come from strangers. */
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
