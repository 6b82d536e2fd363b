import { blogCovers } from '#content/blog.ts';
import { type CoverDrawing, motifs } from './cover-motifs.ts';

/** Returns a seeded generator of numbers from 0 to 1: FNV-1a, then mulberry32. */
function seededRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface CoverProps {
  slug: string;
  bright?: boolean;
}

export function ArticleCover({ slug, bright = false }: CoverProps) {
  const motif = motifs[(blogCovers as Record<string, keyof typeof motifs>)[slug] ?? 'lines'];
  const { mark, solid, thin, dashed, ink }: Partial<CoverDrawing> = motif(seededRandom(slug));
  return (
    <svg className="cover" viewBox="0 0 640 360" aria-hidden="true">
      {mark ? <path className={bright ? 'fill-mark dark:fill-accent' : 'fill-mark-soft'} d={mark} /> : null}
      {thin ? <path className="stroke-line-strong" d={thin} /> : null}
      {dashed ? <path className="stroke-fg [stroke-dasharray:2_9]" d={dashed} /> : null}
      {ink ? <path className="stroke-fg" d={ink} /> : null}
      {solid ? <path className="fill-fg" d={solid} /> : null}
    </svg>
  );
}
