import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp from 'sharp';

const FOLDER = resolve(import.meta.dirname, '../content/screens');
const SIZES = join(FOLDER, 'sizes.json');
/** Most bytes of a file. */
const MOST = 60 * 1024;
/** Mean difference a channel (of 255) below which a picture is the same: what browsers round differently. */
const SAME = 0.15;

export interface Kept {
  name: string;
  bytes: number;
  isNew: boolean;
  /** CSS pixels. */
  width: number;
  height: number;
}

type Maker = (quality: number) => Promise<Buffer>;

/** The best file within the bound. */
async function within(make: Maker, qualities: number[]): Promise<Buffer> {
  for (const quality of qualities) {
    const bytes = await make(quality);
    if (bytes.length <= MOST) return bytes;
  }
  throw new Error(`A picture is over ${MOST} bytes at any quality.`);
}

/** Whether a file shows what these bytes show. */
async function shows(path: string, bytes: Buffer): Promise<boolean> {
  if (!existsSync(path)) return false;
  const [old, next] = await Promise.all(
    [await readFile(path), bytes].map((file) =>
      sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  if (!old || !next || old.data.length !== next.data.length || old.info.width !== next.info.width)
    return false;
  let sum = 0;
  for (let at = 0; at < next.data.length; at++) sum += Math.abs(old.data[at]! - next.data[at]!);
  return sum / next.data.length < SAME;
}

/** Writes a picture as AVIF at twice its size and as WebP at its size, unless the files there show the same. */
export async function keep(name: string, png: Buffer): Promise<Kept[]> {
  await mkdir(FOLDER, { recursive: true });
  const { width: doubled = 0, height: tall = 0 } = await sharp(png).metadata();
  const [width, height] = [Math.round(doubled / 2), Math.round(tall / 2)];
  const made = {
    avif: await within(
      (quality) => sharp(png).avif({ quality, effort: 4, chromaSubsampling: '4:4:4' }).toBuffer(),
      [42, 34, 28],
    ),
    webp: await within(
      (quality) =>
        sharp(png).resize(width, height).webp({ quality, effort: 4, smartSubsample: true }).toBuffer(),
      [56, 44],
    ),
  };
  return Promise.all(
    Object.entries(made).map(async ([ending, bytes]) => {
      const path = join(FOLDER, `${name}.${ending}`);
      const isNew = !(await shows(path, bytes));
      if (isNew) await writeFile(path, bytes);
      const size = isNew ? bytes.length : (await readFile(path)).length;
      return { name: `${name}.${ending}`, bytes: size, isNew, width, height };
    }),
  );
}

/** Notes the sizes of what was taken, and removes pictures of what is no shot any more. */
export function tidy(kept: Kept[], shots: string[]): void {
  for (const name of readdirSync(FOLDER))
    if (/\.(avif|webp)$/.test(name) && !shots.includes(name.split('-')[0] ?? '')) rmSync(join(FOLDER, name));
  const before = existsSync(SIZES) ? (JSON.parse(readFileSync(SIZES, 'utf8')) as object) : {};
  const taken = kept
    .filter(({ name }) => name.endsWith('-light.avif'))
    .map(({ name, width, height }) => [name.replace('-light.avif', ''), { width, height }] as const);
  const sizes = { ...before, ...Object.fromEntries(taken) };
  const known = Object.entries(sizes)
    .filter(([name]) => shots.includes(name.split('-')[0] ?? ''))
    .sort(([a], [b]) => a.localeCompare(b));
  writeFileSync(SIZES, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}
