import { readFile } from 'node:fs/promises';
import { packageFile } from './package-file.server.ts';

const HAN = '@fontsource-variable/noto-sans-sc';
const han =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u;

export const isHan = (character: string): boolean => han.test(character);

export type HanWeight = 400 | 700;

interface HanFont {
  /** The package splits its letters into about a hundred parts. */
  part: string;
  letters: string[];
  font: Buffer;
}

async function findParts(letters: Set<string>): Promise<Map<string, string>> {
  const ranges = JSON.parse(await readFile(packageFile(HAN, 'unicode.json'), 'utf8')) as Record<
    string,
    string
  >;
  const letterByCode = new Map([...letters].map((letter) => [letter.codePointAt(0) ?? 0, letter]));
  const parts = new Map<string, string>();
  for (const [name, list] of Object.entries(ranges))
    for (const range of list.split(',')) {
      const [from = 0, to = from] = range
        .replace('U+', '')
        .split('-')
        .map((code) => Number.parseInt(code, 16));
      for (const [code, letter] of letterByCode)
        if (code >= from && code <= to) parts.set(letter, name.replace(/[[\]]/g, ''));
    }
  return parts;
}

/** Subsets the large Chinese font to the letters of the text. */
export async function hanFonts(text: string, weight: HanWeight): Promise<HanFont[]> {
  const hanLetters = new Set(Array.from(text).filter(isHan));
  if (hanLetters.size === 0) return [];
  const { default: subsetFont } = await import('subset-font');
  const fonts: HanFont[] = [];
  for (const [part, members] of Map.groupBy(await findParts(hanLetters), ([, name]) => name)) {
    const letters = members.map(([letter]) => letter);
    const fullFont = await readFile(packageFile(HAN, `files/noto-sans-sc-${part}-wght-normal.woff2`));
    const options = { targetFormat: 'sfnt', variationAxes: { wght: weight } } as const;
    fonts.push({ part, letters, font: await subsetFont(fullFont, letters.join(''), options) });
  }
  return fonts;
}
