import { sampleDocument } from '#content/sample-document.ts';
import { TextSearch } from '#platform/document-reader/text-search.server.ts';
import type { DocumentSample } from './contract.ts';
import { type ModelQuote, verifiedQuotes } from './document-search.server.ts';

function createSample(): DocumentSample {
  const { name, pages, summary, questions, keywords } = sampleDocument;
  // Short and trusted, so it needs no separate process.
  const search = new TextSearch(pages.map((text, index) => ({ page: index + 1, text })));
  const verify = (modelQuotes: readonly ModelQuote[]) =>
    verifiedQuotes(
      modelQuotes,
      ({ words, page }) => search.find(words, page),
      // The sample has no page images to mark.
      ({ page }) => ({ page, boxes: [] }),
    );
  const counted = keywords.map((word) => ({ word, count: search.count(word).count, places: [] }));
  return {
    name,
    pages: pages.length,
    findings: {
      summary: summary.map(({ text, quotes }) => ({ text, quotes: verify(quotes) })),
      questions: questions.map(({ quotes, ...rest }) => ({ ...rest, quotes: verify(quotes) })),
      keywords: counted.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count),
      pagesUsed: pages.length,
      unsupported: 0,
    },
  };
}

let cached: DocumentSample | undefined;

export function documentSample(): DocumentSample {
  cached ??= createSample();
  return cached;
}
