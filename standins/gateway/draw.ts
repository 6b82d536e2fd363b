/**
 * A picture out of a prompt: two colours of a gradient (named colours of the prompt first), one shape for each
 * main word, the words themselves and the mark "STAND-IN". Same prompt and number, same picture.
 * Limit of fidelity: it shows the words of the prompt, not what they mean.
 */
import { eachDot, GLYPH_HEIGHT, GLYPH_WIDTH } from './font.ts';
import type { Picture } from './png.ts';
import { mainWords, seedOf, wordsOf } from './words.ts';

type Colour = [number, number, number];

const NAMED: Record<string, Colour> = {
  red: [196, 57, 52],
  blue: [44, 92, 178],
  green: [58, 132, 82],
  yellow: [232, 196, 66],
  orange: [222, 128, 48],
  purple: [112, 70, 158],
  pink: [222, 132, 162],
  black: [28, 28, 30],
  white: [240, 240, 236],
  grey: [128, 130, 132],
  gray: [128, 130, 132],
  brown: [116, 80, 54],
  gold: [206, 164, 68],
  teal: [40, 128, 132],
  night: [22, 26, 54],
  sky: [128, 180, 222],
  sea: [34, 104, 138],
  forest: [36, 82, 56],
  sunset: [226, 112, 76],
  snow: [232, 238, 244],
};

function fromHue(hue: number, light: number): Colour {
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    return Math.round(
      255 * (light - 0.45 * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))),
    );
  };
  return [channel(0), channel(8), channel(4)];
}

function mix(a: Colour, b: Colour, share: number): Colour {
  return [0, 1, 2].map((i) => Math.round(a[i]! + (b[i]! - a[i]!) * share)) as Colour;
}

function gradient(picture: Picture, from: Colour, to: Colour): void {
  const { width, height, pixels } = picture;
  for (let y = 0; y < height; y++) {
    const [r, g, b] = mix(from, to, y / Math.max(1, height - 1));
    for (let at = y * width * 3, end = at + width * 3; at < end; at += 3) {
      pixels[at] = r;
      pixels[at + 1] = g;
      pixels[at + 2] = b;
    }
  }
}

function span(picture: Picture, y: number, from: number, to: number, colour: Colour, strength: number): void {
  if (y < 0 || y >= picture.height) return;
  const { pixels } = picture;
  const start = Math.max(0, Math.round(from));
  const end = Math.min(picture.width, Math.round(to));
  for (let x = start; x < end; x++) {
    const at = (y * picture.width + x) * 3;
    for (let i = 0; i < 3; i++) pixels[at + i]! += (colour[i]! - pixels[at + i]!) * strength;
  }
}

function shape(picture: Picture, seed: number, colour: Colour): void {
  const radius = Math.min(picture.width, picture.height) * (0.08 + (seed % 13) / 90);
  const centreX = (((seed >>> 4) % 1000) / 1000) * picture.width;
  const centreY = (((seed >>> 14) % 1000) / 1000) * picture.height * 0.8;
  const kind = (seed >>> 24) % 3;
  for (let dy = -radius; dy <= radius; dy++) {
    const share = dy / radius;
    const round = Math.sqrt(Math.max(0, 1 - share * share));
    const half = radius * (kind === 0 ? round : kind === 1 ? (1 + share) / 2 : 0.8);
    span(picture, Math.round(centreY + dy), centreX - half, centreX + half, colour, 0.6);
  }
}

function label(picture: Picture, text: string, bottom: number, scale: number): void {
  const left = 2 * scale;
  const top = picture.height - bottom;
  const width = text.length * GLYPH_WIDTH * scale;
  for (let y = top - 2 * scale; y < top + (GLYPH_HEIGHT + 2) * scale; y++)
    span(picture, y, 0, left + width + scale, [20, 20, 22], 0.7);
  eachDot(text, (column, row) => {
    for (let y = 0; y < scale; y++)
      span(
        picture,
        top + row * scale + y,
        left + column * scale,
        left + (column + 1) * scale,
        [246, 246, 240],
        1,
      );
  });
}

/** Draws `width` by `height` pixels; `number` tells several pictures of one prompt apart. */
export function draw(prompt: string, width: number, height: number, number: number): Picture {
  const picture: Picture = { width, height, pixels: new Uint8Array(width * height * 3) };
  const seed = seedOf(`${prompt} ${number}`);
  const named = wordsOf(prompt)
    .map((word) => NAMED[word.toLowerCase()])
    .filter((colour) => colour !== undefined);
  const from = named[0] ?? fromHue(seed % 360, 0.62);
  const to = named[1] ?? mix(from, fromHue((seed >>> 9) % 360, 0.3), 0.7);
  gradient(picture, from, to);
  const words = mainWords(prompt, 8).map(({ word }) => word);
  for (const word of words) {
    const own = seedOf(word + seed);
    shape(picture, own, fromHue((own >>> 3) % 360, 0.35 + (own % 40) / 100));
  }
  const scale = Math.max(1, Math.floor(Math.min(width, height) / 160));
  const most = Math.max(8, Math.floor(width / (GLYPH_WIDTH * scale)) - 2);
  const line = words
    .join(' ')
    .normalize('NFKD')
    .replace(/[^\w -]/g, '')
    .slice(0, most);
  label(picture, 'STAND-IN', 22 * scale, scale);
  if (line) label(picture, line, 10 * scale, scale);
  return picture;
}
