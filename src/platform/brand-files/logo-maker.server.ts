import process from 'node:process';
import { json } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import {
  iconSide,
  type LogoRequest,
  type LogoResponse,
  logoSize,
  MAX_PICTURE_BYTES,
} from './logo-maker-protocol.ts';

const MAX_PIXELS = 25_000_000;
/** Dots per inch at which an SVG has its nominal size. */
const SVG_DENSITY = 72;
const SECONDS = 10;

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadSvg'] });

class Refusal extends Error {}

async function encodeSmall(picture: Sharp) {
  for (const options of [{}, { palette: true, quality: 90 }, { palette: true, quality: 60, colours: 64 }]) {
    const encoded = await picture
      .clone()
      .png({ compressionLevel: 9, ...options })
      .toBuffer({ resolveWithObject: true });
    if (encoded.data.length <= MAX_PICTURE_BYTES) return encoded;
  }
  throw new Refusal('has too much detail for a logo');
}

async function makeLogo({ source }: LogoRequest): Promise<LogoResponse> {
  const bytes = Buffer.from(source, 'base64');
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { format, width, height } = metadata;
  if (width * height > MAX_PIXELS) throw new Refusal(`has too many pixels: ${width} × ${height}`);
  const isDrawing = format === 'svg';
  const scale = isDrawing ? Math.max(1, Math.min(logoSize.width / width, iconSide / height)) : 1;
  const open = () =>
    sharp(bytes, { density: SVG_DENSITY * scale, limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: SECONDS })
      .autoOrient();
  const inside = { fit: 'inside', withoutEnlargement: !isDrawing } as const;
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  const logo = await encodeSmall(open().resize({ ...logoSize, ...inside }));
  const icon = await encodeSmall(
    open().resize(iconSide, iconSide, { fit: 'contain', background: transparent }),
  );
  return {
    width: logo.info.width,
    height: logo.info.height,
    logo: logo.data.toString('base64'),
    icon: icon.data.toString('base64'),
  };
}

const response = await makeLogo((await json(process.stdin)) as LogoRequest).catch(
  (error: unknown): LogoResponse => ({
    problem: error instanceof Refusal ? error.message : 'cannot be read as a PNG, SVG or WebP picture',
  }),
);
process.stdout.end(JSON.stringify(response));
