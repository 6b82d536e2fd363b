import { sampleDocument } from '../../../../content/sample-document.ts';
import { proven } from '../asking/service.server.ts';
import type { DocumentSample } from '../contract.ts';
import { Source } from '../quotes/service.server.ts';

function made(): DocumentSample {
  const { name, pages, summary, questions, keywords } = sampleDocument;
  const source = Source.now(pages.map((text, index) => ({ page: index + 1, text, boxes: [] })));
  // A sample has no pages to be shown.
  const held = (given: Parameters<typeof proven>[1]) =>
    proven(source, given).map((quote) => ({
      ...quote,
      places: quote.places.map(({ page }) => ({ page, boxes: [] })),
    }));
  const counted = keywords.map((word) => ({ word, count: source.count(word).count, places: [] }));
  return {
    name,
    pages: pages.length,
    findings: {
      summary: summary.map(({ text, quotes }) => ({ text, quotes: held(quotes) })),
      questions: questions.map(({ quotes, ...said }) => ({ ...said, quotes: held(quotes) })),
      keywords: counted.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count),
      pagesUsed: pages.length,
      unsupported: 0,
    },
  };
}

let kept: DocumentSample | undefined;

/** The findings of the sample text, made once by the code that makes those of documents. */
export function documentSample(): DocumentSample {
  kept ??= made();
  return kept;
}
