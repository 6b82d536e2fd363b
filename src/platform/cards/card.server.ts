import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { takeTurns } from '../turns/turns.server.ts';

/** What a social card says. */
export interface CardWords {
  /** Above the title, such as the name of a section. */
  eyebrow: string;
  title: string;
  /** Below the title. */
  text: string;
  /** At the foot, such as the name of the site. */
  foot: string;
}

/** Pixels, as networks show a large card (ogp.me names no size; 1.91:1 is what they cut to). */
export const cardSize = { width: 1200, height: 630 };

const inTurn = takeTurns({
  atOnce: 1,
  waiting: 20,
  fullText: 'Many pictures are being made. Please try again in a moment.',
  ownText: 'This picture is being made. Please try again in a moment.',
});

const ink = '#1d1c16';
const paper = '#fbfaf6';
const muted = '#57554c';
const marker = '#eef23f';

interface Node {
  type: string;
  props: { style: Record<string, string | number>; children?: (Node | string)[] | string };
}

const box = (style: Record<string, string | number>, children: (Node | string)[] | string): Node => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
});

/** As many whole characters as fit, with an ellipsis in place of the rest. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** Long words would run over the edge: they may break anywhere. */
const title = (text: string): Node =>
  box(
    {
      fontSize: [...text].length > 48 ? 60 : 76,
      fontWeight: 700,
      lineHeight: 1.06,
      letterSpacing: '-0.03em',
      wordBreak: 'break-word',
    },
    text,
  );

function card({ eyebrow, title: heading, text, foot }: CardWords): Node {
  return box(
    {
      width: '100%',
      height: '100%',
      flexDirection: 'column',
      justifyContent: 'space-between',
      padding: '64px 72px',
      background: paper,
      color: ink,
      fontFamily: 'Sans, Wide',
    },
    [
      box({ flexDirection: 'column', alignItems: 'flex-start' }, [
        box(
          { background: marker, padding: '4px 14px', marginBottom: 36, fontSize: 28, fontWeight: 700 },
          cut(eyebrow, 40),
        ),
        title(cut(heading, 96)),
        box(
          { marginTop: 28, fontSize: 32, lineHeight: 1.35, color: muted, wordBreak: 'break-word' },
          cut(text, 150),
        ),
      ]),
      box(
        { borderTop: `2px solid ${ink}`, paddingTop: 24, width: '100%', fontSize: 28, fontWeight: 700 },
        cut(foot, 60),
      ),
    ],
  );
}

const fileOf = (path: string) => readFile(createRequire(import.meta.url).resolve(path));

/** Schibsted Grotesk, and DejaVu for the scripts that it lacks. */
async function readFonts() {
  const own = '@fontsource/schibsted-grotesk/files/schibsted-grotesk-latin';
  const [plain, bold, wide] = await Promise.all([
    fileOf(`${own}-400-normal.woff`),
    fileOf(`${own}-700-normal.woff`),
    fileOf('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  ]);
  return [
    { name: 'Sans', data: plain, weight: 400 as const, style: 'normal' as const },
    { name: 'Sans', data: bold, weight: 700 as const, style: 'normal' as const },
    { name: 'Wide', data: wide, weight: 400 as const, style: 'normal' as const },
  ];
}

let fonts: ReturnType<typeof readFonts> | undefined;

async function draw(words: CardWords): Promise<Buffer> {
  fonts ??= readFonts();
  // Loaded with the first card: it holds memory that a site without one does not need.
  const [{ default: satori }, loaded] = await Promise.all([import('satori'), fonts]);
  const svg = await satori(card(words) as unknown as Parameters<typeof satori>[0], {
    ...cardSize,
    fonts: loaded,
  });
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer();
}

/** A social card as PNG of `cardSize`, one at a time. @throws Problem unavailable when too many wait. */
export const renderCard = (words: CardWords): Promise<Buffer> =>
  inTurn(() => draw(words), { key: crypto.randomUUID() });
