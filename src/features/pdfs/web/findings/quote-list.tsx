import { createContext, useContext } from 'react';
import { locale, m } from '#messages';
import type { PageMarks, Quote } from '../../contract.ts';

export type ShowMarks = (places: PageMarks[]) => void;

export const ShownMarks = createContext<PageMarks[] | null>(null);

interface QuoteListProps {
  quotes: Quote[];
  onShow?: ShowMarks;
}

export function QuoteList({ quotes, onShow }: QuoteListProps) {
  // Compared as JSON, because each load of the page creates new objects.
  const shown = JSON.stringify(useContext(ShownMarks));
  return (
    <ul className="mt-2 grid gap-2 border-s-2 border-line-strong ps-3 text-sm text-fg-muted wrap-anywhere forced-colors:border-[Highlight]">
      {quotes.map((quote) => {
        const page = quote.places[0]?.page ?? 0;
        return (
          <li key={quote.text} dir="auto">
            <q>{quote.text}</q>{' '}
            {onShow ? (
              <button
                type="button"
                className="pdf-chip"
                aria-current={JSON.stringify(quote.places) === shown || undefined}
                aria-label={m.pdfs_chip_label({ page, quote: quote.text.slice(0, 60) })}
                onClick={() => onShow(quote.places)}
              >
                {m.pdfs_chip({ page })}
              </button>
            ) : (
              <span className="pdf-chip" lang={locale()}>
                {m.pdfs_chip({ page })}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
