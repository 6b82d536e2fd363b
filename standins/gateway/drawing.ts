/**
 * The same prompt and number give the same picture. Limit of fidelity: it shows the words of the prompt, not their
 * meaning.
 */
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { mainWords, seedOf, wordsOf } from './text.ts';

// Uses a packaged font, because a machine may have none.
const fontfile = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

const COLOURS = new Map(
  `red c43934, blue 2c5cb2, green 3a8452, yellow e8c442, orange de8030, purple 70469e, pink de84a2, black 1c1c1e,
  white f0f0ec, grey 808284, gray 808284, brown 745036, gold cea444, teal 288084, night 161a36, sky 80b4de,
  sea 22688a, forest 245238, sunset e2704c, snow e8ecf4`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
);

const hue = (seed: number, light: number) => `hsl(${seed % 360} 45% ${light}%)`;

function shape(word: string, seed: number): string {
  const wordSeed = seedOf(word + seed);
  const radius = 8 + (wordSeed % 13);
  const [x, y] = [(wordSeed >>> 4) % 100, ((wordSeed >>> 14) % 100) * 0.8];
  const outline = [
    `<circle cx="${x}" cy="${y}" r="${radius}"/>`,
    `<path d="M${x} ${y - radius}l${radius} ${radius * 2}h${radius * -2}z"/>`,
    `<rect x="${x - radius}" y="${y - radius}" width="${radius * 2}" height="${radius * 2}"/>`,
  ][(wordSeed >>> 24) % 3];
  return `<g fill="${hue(wordSeed >>> 3, 35 + (wordSeed % 40))}">${outline}</g>`;
}

export async function drawPng(
  prompt: string,
  width: number,
  height: number,
  number: number,
): Promise<Buffer> {
  const seed = seedOf(`${prompt} ${number}`);
  const namedColours = wordsOf(prompt).flatMap((word) => COLOURS.get(word.toLowerCase()) ?? []);
  const [from = hue(seed, 62), to = hue(seed >>> 9, 40)] = namedColours.map((hex) => `#${hex}`);
  const words = mainWords(prompt, 8).map(({ word }) => word);
  const side = Math.min(width, height);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<linearGradient id="g" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>
<rect width="100%" height="100%" fill="url(#g)"/><svg viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice">
<g fill-opacity=".6">${words.map((word) => shape(word, seed)).join('')}</g></svg></svg>`;
  const caption = words.join(' ').replace(/[<>&]/g, '').slice(0, 80);
  const lines = ['STAND-IN', ...(caption ? [caption] : [])].map((line) => ` ${line} `).join('\n');
  const text = `<span foreground="#f6f6f0" background="#141416" bgalpha="70%">${lines}</span>`;
  const margin = Math.floor(side / 40);
  const label = await sharp({
    text: { text, fontfile, font: `DejaVu Sans Bold ${Math.max(6, side / 24)}`, rgba: true, wrap: 'none' },
  })
    .resize({ width: width - margin, height: Math.ceil(side / 4), fit: 'inside', withoutEnlargement: true })
    .extend({ left: margin, bottom: margin, background: '#0000' })
    .png()
    .toBuffer();
  return await sharp(Buffer.from(svg))
    .composite([{ input: label, gravity: 'southwest' }])
    .removeAlpha()
    .withExif({ IFD0: { ImageDescription: prompt.replace(/[^\x20-\x7e]/g, '?').slice(0, 500) } })
    .png({ compressionLevel: 3 })
    .toBuffer();
}
