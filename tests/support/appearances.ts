import { soak } from './soak.ts';

export type Appearance = ['light' | 'dark', number];

/**
 * Returns the themes and widths in which to check a page. Colours depend on the theme and layout on the width, so `npm
 * test` uses each theme and width once; the soak uses every pair.
 */
export function appearances(...widths: number[]): Appearance[] {
  const themes = ['light', 'dark'] as const;
  if (soak) return themes.flatMap((theme) => widths.map((width): Appearance => [theme, width]));
  return widths.map((width, at) => [themes[at % 2] ?? 'light', width]);
}

/** Returns one look for page number `nth`, so that consecutive pages use different ones; the soak uses every pair. */
export function appearancesInTurn(nth: number, ...widths: number[]): Appearance[] {
  const all = appearances(...widths);
  return soak ? all : all.slice(nth % all.length, (nth % all.length) + 1);
}
