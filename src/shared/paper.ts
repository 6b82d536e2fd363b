import { m } from '#messages';

export const papers = ['a4', 'letter'] as const;
export type Paper = (typeof papers)[number];

export const paperNames: Record<Paper, () => string> = { a4: m.paper_a4, letter: m.paper_letter };

/** Points. */
export const paperSizes: Record<Paper, [width: number, height: number]> = {
  a4: [595.28, 841.89],
  letter: [612, 792],
};

/** Chooses by the region of a language tag such as `en-US`. */
export function paperOf(tag: string | undefined): Paper {
  try {
    return new Intl.Locale(tag ?? '').maximize().region === 'US' ? 'letter' : 'a4';
  } catch {
    return 'a4';
  }
}
