/** A sequence of numbers from 0 to 1 that a text settles (FNV-1a, then mulberry32). */
function numbersOf(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LINE = 24;

interface Paper {
  width: number;
  height: number;
  /** Free at both sides of the lines. */
  margin: number;
}

/** Words as strokes of ink in lines, and the marker over some of them. All lengths are units of the picture. */
function draw(seed: string, { width, height, margin }: Paper): { ink: string; marks: string } {
  const next = numbersOf(seed);
  const between = (least: number, most: number) => Math.round(least + next() * (most - least));
  let [ink, marks] = ['', ''];
  const lines = Math.floor((height - LINE / 2) / LINE);
  const top = (height - (lines - 1) * LINE) / 2;
  // The last line is a short one.
  const marked = new Set(Array.from({ length: Math.ceil(lines / 4) }, () => between(0, lines - 2)));
  for (let line = 0; line < lines; line++) {
    const y = top + line * LINE;
    const end = line === lines - 1 ? width * (0.35 + next() * 0.4) : width - margin - next() * 40;
    const from = margin + next() * (width * 0.45);
    const to = Math.min(end, from + width * (0.18 + next() * 0.3));
    const under: number[] = [];
    for (let x = margin; x < end - 12; ) {
      const long = Math.min(between(12, 64), end - x);
      ink += `M${Math.round(x)} ${y}h${Math.round(long)}`;
      if (x + long > from && x < to) under.push(x, x + long);
      x += long + 9;
    }
    // The hand begins and ends a little beside the word, and is not quite level.
    if (marked.has(line))
      marks += `M${Math.round(Math.min(...under)) - 6} ${y + between(-2, 1)}L${Math.round(Math.max(...under)) + 7} ${y + between(-1, 2)}`;
  }
  return { ink, marks };
}

interface CoverProps {
  /** Slug of the article: the same one always has the same cover. */
  seed: string;
  width: number;
  height: number;
  className?: string;
}

/** The cover of an article: lines of ink with marker strokes, drawn from its slug. */
export function Cover({ seed, width, height, className = '' }: CoverProps) {
  const { ink, marks } = draw(seed, { width, height, margin: 28 });
  return (
    <svg
      className={`cover ${className}`.trim()}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMinYMid slice"
      aria-hidden="true"
    >
      <path className="cover-marks" d={marks} />
      <path className="cover-ink" d={ink} />
    </svg>
  );
}

/** The same in small and without an edge, beside the words of a row. */
export function CoverMark({ seed }: Pick<CoverProps, 'seed'>) {
  const paper = { width: 224, height: 84, margin: 8 };
  const { ink, marks } = draw(seed, paper);
  return (
    <svg className="cover-mark" viewBox={`0 0 ${paper.width} ${paper.height}`} aria-hidden="true">
      <path className="cover-marks" d={marks} />
      <path className="cover-ink" d={ink} />
    </svg>
  );
}
