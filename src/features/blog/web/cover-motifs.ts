/** SVG path data by how it is drawn, in units of a 640 x 360 image. */
export interface CoverDrawing {
  mark: string;
  solid: string;
  thin: string;
  dashed: string;
  ink: string;
}

/** @param next returns numbers from 0 to 1 that vary covers with the same motif */
type Motif = (next: () => number) => Partial<CoverDrawing>;

const repeat = (count: number, draw: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => draw(at)).join('');
const line = (x: number, y: number, length: number) => `M${x} ${y}h${Math.round(length)}`;
const box = (x: number, y: number, width: number, height: number) =>
  `M${x} ${y}h${width}v${height}h${-width}z`;
/** A slanted highlighter stroke, wider than the text it marks. */
const marker = (x: number, y: number, width: number, height: number) =>
  `M${x + 12} ${y}h${width}l-12 ${height}h${-width}z`;
const dot = (x: number, y: number, radius: number) =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;

const bars = (next: () => number, falling: boolean): Partial<CoverDrawing> => {
  const heights = Array.from({ length: 6 }, (_, at) => Math.round(214 - at * 30 - next() * 22));
  if (!falling) heights.reverse();
  const at = (index: number, height: number) => box(76 + index * 84, 304 - height, 56, height);
  const last = at(5, heights[5] ?? 0);
  return {
    mark: last,
    solid: repeat(5, (index) => at(index, heights[index] ?? 0)),
    ink: `${last}M56 304h528`,
  };
};

const columns = (next: () => number, count: 2 | 3): Partial<CoverDrawing> => {
  const width = (512 - (count - 1) * 64) / count;
  const left = (column: number) => 64 + column * (width + 64);
  const rows = repeat(count, (column) =>
    repeat(7, (row) => line(left(column), 70 + row * 36, width * (0.55 + next() * 0.45))),
  );
  const row = 1 + Math.floor(next() * 5);
  const column = 1 + Math.floor(next() * (count - 1));
  return {
    mark: marker(left(column) - 14, 52 + row * 36, width + 16, 36),
    thin: rows,
    ink: repeat(count - 1, (at) => `M${left(at + 1) - 32} 44v272`),
  };
};

const lines: Motif = (next) => {
  const row = 1 + Math.floor(next() * 4);
  const from = 64 + Math.floor(next() * 160);
  return {
    mark: marker(from, 52 + row * 42, 200 + Math.floor(next() * 80), 36),
    thin: repeat(6, (at) => line(64, 70 + at * 42, 512 * (at === 5 ? 0.45 : 0.75 + next() * 0.25))),
  };
};

const blanks: Motif = () => ({
  mark: marker(212, 94, 158, 36),
  thin: 'M64 72h461M64 112h130M398 112h148M64 152h512M64 192h210M460 192h90M64 232h410M64 272h70M304 272h110',
  dashed: box(292, 174, 150, 36) + box(152, 254, 134, 36),
});

const cards: Motif = (next) => {
  const marked = Math.floor(next() * 12);
  const at = (index: number) => [56 + (index % 4) * 136, 48 + Math.floor(index / 4) * 92] as const;
  const [x, y] = at(marked);
  return {
    mark: box(x, y, 120, 76),
    ink: repeat(12, (index) => box(...at(index), 120, 76)),
    thin: repeat(12, (index) => {
      const [left, top] = at(index);
      return line(left + 16, top + 28, 60 + next() * 28) + line(left + 16, top + 50, 30 + next() * 40);
    }),
  };
};

const fork: Motif = () => ({
  mark: marker(380, 78, 190, 56),
  ink: `M72 180h150M222 180C290 180 290 106 358 106H372`,
  dashed: 'M222 180C290 180 290 254 358 254H372',
  solid: dot(222, 180, 9),
  thin: `${box(376, 226, 192, 56)}M404 254h130M408 106h120`,
});

const film: Motif = () => ({
  mark: box(326, 122, 144, 116),
  solid: `M0 84h640v192H0z${repeat(3, (at) => `M${14 + at * 156} 238h144v-116h-144z`)}M482 238h144v-116h-144z${repeat(17, (at) => `M${10 + at * 38} 108h18v-12h-18zM${10 + at * 38} 264h18v-12h-18z`)}`,
  ink: 'M14 214l44-38 32 26 26-20 42 32M170 214l30-24 40 20 30-34 44 40M254 184v-34l26 12-26 10M352 148l92 64M444 148l-92 64',
  thin: 'M502 156h104M502 180h80M502 204h94',
});

const loop: Motif = () => ({
  mark: marker(282, 51, 136, 46),
  dashed: 'M440 84C540 110 560 220 440 270M340 290C250 300 190 270 176 250M150 190C150 140 190 100 270 78',
  ink: box(118, 190, 84, 46) + box(356, 262, 92, 46) + box(470, 140, 84, 46),
});

const timeline: Motif = (next) => ({
  mark: marker(380, 146, 96, 44),
  ink: `M56 232h528${repeat(6, (at) => `M${96 + at * 88} 222v20`)}`,
  solid: repeat(4, (at) => dot(96 + at * 88, 232, 9)),
  thin: repeat(6, (at) => line(64 + at * 88, at % 2 === 0 ? 168 : 288, 50 + next() * 20)),
  dashed: 'M448 208v-14',
});

const layers: Motif = (next) => {
  const [from, to] = [Math.floor(next() * 4), Math.floor(next() * 4)];
  const y = (at: number) => 78 + at * 68;
  return {
    thin: repeat(4, (left) => repeat(4, (right) => `M150 ${y(left)}L320 ${y(right)}L490 ${y(left)}`)),
    ink: `M150 ${y(from)}L320 ${y(to)}L490 ${y(from)}h34`,
    solid: repeat(4, (at) => dot(150, y(at), 13) + dot(320, y(at), 13) + dot(490, y(at), 13)),
    mark: marker(510, y(from) - 22, 70, 44),
  };
};

const grid: Motif = (next) => {
  const at = (index: number) => box(84 + (index % 6) * 80, 72 + Math.floor(index / 6) * 80, 64, 64);
  const filled = Array.from({ length: 18 }, () => next() > 0.72);
  const marked = Math.floor(next() * 18);
  return {
    mark: at(marked),
    solid: repeat(18, (index) => (filled[index] && index !== marked ? at(index) : '')),
    thin: repeat(18, at),
    ink: at(marked),
  };
};

const circles: Motif = () => ({
  mark: 'M320 98a110 110 0 0 1 0 164a110 110 0 0 1 0-164z',
  ink: dot(247, 180, 110) + dot(393, 180, 110),
  thin: 'M172 160h80M172 190h56M390 160h76M414 190h52',
});

const peak: Motif = () => ({
  mark: marker(452, 214, 110, 40),
  ink: 'M64 296C180 290 210 76 292 76S400 240 576 244',
  dashed: 'M292 60H576',
  solid: dot(292, 76, 9),
  thin: 'M56 320h528',
});

const quote: Motif = () => ({
  mark: marker(252, 194, 148, 34),
  ink: 'M200 36h196l44 44v244H200zM396 36v44h44',
  thin: `${repeat(3, (at) => line(232, 106 + at * 30, 176 - at * 14))}M232 210h10M412 210h-2${repeat(2, (at) => line(232, 252 + at * 30, 170 - at * 60))}M508 186h84M508 210h84M508 234h52`,
  dashed: 'M446 210h50',
});

const sizes: Motif = () => ({
  mark: box(176, 228, 96, 96),
  ink: box(176, 36, 288, 288) + box(176, 132, 288, 192) + box(176, 228, 96, 96),
  thin: 'M208 36v-16M464 20v0M176 20h288M176 12v16M464 12v16M144 36v288M136 36h16M136 324h16',
});

const screenplay: Motif = () => ({
  mark: marker(262, 154, 116, 30),
  ink: 'M176 24h288v312H176z',
  solid: repeat(3, (at) => dot(196, 92 + at * 88, 6)),
  thin: 'M226 64h150M226 96h206M226 120h180M290 168h60M262 200h128M262 224h104M290 260h60M262 290h128',
});

const checklist: Motif = (next) => ({
  mark: marker(196, 130, 250 + next() * 60, 40),
  ink:
    repeat(5, (at) => box(112, 44 + at * 58, 40, 40)) + repeat(3, (at) => `M122 ${64 + at * 58}l9 10 15-20`),
  thin: repeat(5, (at) => line(192, 64 + at * 58, 200 + next() * 160)),
});

const table: Motif = () => ({
  mark: box(64, 160, 512, 56),
  ink: 'M64 48h512v264H64z',
  thin: `${repeat(4, (at) => `M64 ${104 + at * 56}h512`)}M240 48v264M352 48v264M464 48v264${repeat(4, (at) => line(88, 132 + at * 52, 110 - (at % 2) * 30))}`,
  solid: [296, 408, 520]
    .map((x, column) => repeat(4, (row) => ((row * 5 + column * 3) % 4 < 2 ? dot(x, 132 + row * 56, 8) : '')))
    .join(''),
  dashed: 'M264 76h60M376 76h60M488 76h60',
});

const ranges: Motif = () => ({
  mark: box(408, 62, 128, 52),
  solid: box(104, 62, 304, 52) + box(104, 238, 432, 52),
  ink: `${box(408, 62, 128, 52)}M104 36v288`,
  thin: 'M536 126v100M528 126h16M528 226h16M408 126v28M128 150h150M128 178h96M128 206h120',
});

/** Keys are those of content/blog.ts. */
export const motifs = {
  lines,
  blanks,
  cards,
  fork,
  film,
  loop,
  timeline,
  layers,
  grid,
  circles,
  peak,
  quote,
  sizes,
  screenplay,
  checklist,
  table,
  ranges,
  falling: (next) => bars(next, true),
  rising: (next) => bars(next, false),
  pair: (next) => columns(next, 2),
  three: (next) => columns(next, 3),
} satisfies Record<string, Motif>;
