import { soak } from './soak.ts';

export type Look = ['light' | 'dark', number];

/**
 * Themes and widths in which a page is looked at. Colours hang on the theme and what fits on the width, so npm test
 * takes each theme and each width once; the soak takes every pair.
 */
export function looks(...widths: number[]): Look[] {
  const themes = ['light', 'dark'] as const;
  if (soak) return themes.flatMap((theme) => widths.map((width): Look => [theme, width]));
  return widths.map((width, at) => [themes[at % 2] ?? 'light', width]);
}

/** Of many pages the nth in one of its looks, so that neighbours are seen in another; the soak takes every pair. */
export function looksInTurn(nth: number, ...widths: number[]): Look[] {
  const all = looks(...widths);
  return soak ? all : all.slice(nth % all.length, (nth % all.length) + 1);
}
