import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import satori from 'satori';
import sharp from 'sharp';
import { shortened } from '#shared/clean-text.ts';
import { cardSize } from '#shared/social-card.ts';
import { type CardContent, cardPicture } from './card-content.ts';

const inner = cardSize.width - 2 * 72;
const gap = 56;

const ink = '#1d1c16';
const paper = '#fbfaf6';
const muted = '#57554c';
const marker = '#eef23f';

interface Node {
  type: string;
  props: {
    style: Record<string, string | number>;
    children?: (Node | string)[] | string;
    src?: string;
    width?: number;
    height?: number;
  };
}

const box = (style: Record<string, string | number>, children: (Node | string)[] | string): Node => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
});

/** Words may break anywhere, because long ones would overflow. */
const title = (text: string, width: number): Node =>
  box(
    {
      width,
      fontSize: width < inner ? 56 : [...text].length > 48 ? 60 : 76,
      fontWeight: 700,
      lineHeight: 1.06,
      letterSpacing: '-0.03em',
      wordBreak: 'break-word',
    },
    text,
  );

const drawing = (svg: string): Node => ({
  type: 'img',
  props: {
    ...cardPicture,
    src: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    style: cardPicture,
  },
});

const LOGO_HEIGHT = 72;
const LOGO_WIDTH = 480;

function logoPicture({ png, width, height }: NonNullable<CardContent['logo']>): Node {
  const scale = Math.min(LOGO_HEIGHT / height, LOGO_WIDTH / width);
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return { type: 'img', props: { ...size, src: `data:image/png;base64,${png}`, style: size } };
}

function brand({ eyebrow, logo }: CardContent): Node {
  const name = box(
    { background: marker, padding: '4px 14px', fontSize: 28, fontWeight: 700 },
    shortened(eyebrow, 40),
  );
  const parts = [...(logo ? [logoPicture(logo)] : []), ...(logo?.withName === false ? [] : [name])];
  return box({ alignItems: 'center', gap: 20, marginBottom: 36 }, parts);
}

function textColumn(content: CardContent, width: number): Node {
  const { title: heading, text } = content;
  return box({ flexDirection: 'column', alignItems: 'flex-start', width }, [
    brand(content),
    title(shortened(heading, 96), width),
    box(
      {
        width,
        marginTop: 28,
        fontSize: width < inner ? 28 : 32,
        lineHeight: 1.35,
        color: muted,
        wordBreak: 'break-word',
      },
      shortened(text, width < inner ? 110 : 150),
    ),
  ]);
}

function card(content: CardContent): Node {
  const { picture, foot } = content;
  const width = picture ? inner - cardPicture.width - gap : inner;
  return box(
    {
      ...cardSize,
      boxSizing: 'border-box',
      flexDirection: 'column',
      justifyContent: 'space-between',
      padding: '64px 72px',
      background: paper,
      color: ink,
      fontFamily: 'Sans, Wide',
    },
    [
      box({ justifyContent: 'space-between', width: inner }, [
        textColumn(content, width),
        ...(picture ? [drawing(picture)] : []),
      ]),
      box(
        { borderTop: `2px solid ${ink}`, paddingTop: 24, width: inner, fontSize: 28, fontWeight: 700 },
        shortened(foot, 60),
      ),
    ],
  );
}

const readPackageFile = (path: string) => readFile(createRequire(import.meta.url).resolve(path));

/** DejaVu provides the scripts that Schibsted Grotesk lacks. */
async function readFonts() {
  const fontPath = '@fontsource/schibsted-grotesk/files/schibsted-grotesk-latin';
  const [plain, bold, wide] = await Promise.all([
    readPackageFile(`${fontPath}-400-normal.woff`),
    readPackageFile(`${fontPath}-700-normal.woff`),
    readPackageFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  ]);
  return [
    { name: 'Sans', data: plain, weight: 400 as const, style: 'normal' as const },
    { name: 'Sans', data: bold, weight: 700 as const, style: 'normal' as const },
    { name: 'Wide', data: wide, weight: 400 as const, style: 'normal' as const },
  ];
}

async function draw(content: CardContent): Promise<Buffer> {
  const svg = await satori(card(content) as unknown as Parameters<typeof satori>[0], {
    ...cardSize,
    fonts: await readFonts(),
  });
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer();
}

process.stdout.end(await draw((await json(process.stdin)) as CardContent));
