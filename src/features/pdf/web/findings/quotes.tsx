import { createContext, useContext } from 'react';
import type { Place, Quote } from '../../contract.ts';

/** Shows places of the document: the first of them, or the one that was asked for. */
export type ShowPlaces = (places: Place[]) => void;

/** The places that the viewer shows marked. */
export const ShownPlaces = createContext<Place[] | null>(null);

interface QuotesProps {
  quotes: Quote[];
  /** Absent where there is no document to be shown. */
  onShow?: ShowPlaces;
}

/** Words of the document, each with the chip that opens its page. */
export function Quotes({ quotes, onShow }: QuotesProps) {
  // Each load of the page makes the places anew.
  const shown = JSON.stringify(useContext(ShownPlaces));
  return (
    <ul className="pdf-quotes">
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
                aria-label={`p. ${page}: show ${quote.text.slice(0, 60)}`}
                onClick={() => onShow(quote.places)}
              >
                p. {page}
              </button>
            ) : (
              <span className="pdf-chip">p. {page}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
