import type { TextSegment } from '#shared/search-words.ts';

export function HighlightedText({ pieces }: { pieces: TextSegment[] }) {
  return pieces.map(({ text, hit }, at) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of text have no other key
      <mark key={at} className="mark">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
