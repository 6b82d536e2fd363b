import { setting } from '#shared/settings.ts';

export type Theme = 'light' | 'dark';

/** OKLCH lightness of the surface in src/ui/tokens.css with the least contrast to its text: --sunken, --bubble. */
const surfaces: Record<Theme, number> = { light: 0.962, dark: 0.28 };
/** Relative luminance of nearly gray colors, from their OKLCH lightness. */
const grey = (lightness: number) => lightness ** 3;

/** WCAG 2.2, relative luminance of #rrggbb. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** @returns why the color is unsuitable for text or the edge of a control, or null. */
export const contrastProblem =
  (theme: Theme, minRatio: number) =>
  (color: string): string | null => {
    const ratio = contrast(luminance(color), grey(surfaces[theme]));
    return ratio >= minRatio
      ? null
      : `has a contrast of ${ratio.toFixed(1)}:1 on the ${theme} theme; ${minRatio}:1 or more can be read`;
  };

/** Returns black or white, whichever has more contrast: at least 4.5:1 on every color. */
const inkOn = (color: string): string =>
  contrast(luminance(color), 0) >= contrast(luminance(color), 1) ? '#000000' : '#ffffff';

function declarations(theme: Theme): string {
  const suffix = theme === 'dark' ? '.dark' : '';
  const [mark, accent, primary] = [
    setting(`brand.mark${suffix}`),
    setting(`brand.accent${suffix}`),
    setting(`brand.primary${suffix}`),
  ];
  return [
    mark && `--mark:${mark};--on-mark:${inkOn(mark)};--mark-soft:color-mix(in oklab,${mark} 18%,var(--bg));`,
    accent && `--accent:${accent};`,
    primary &&
      `--primary:${primary};--primary-hover:color-mix(in oklab,${primary} 88%,${inkOn(primary)});--on-primary:${inkOn(primary)};`,
  ].join('');
}

/** Returns CSS outside of any layer, which overrides src/ui/tokens.css; '' if no color was changed. */
export function brandColors(): string {
  const [light, dark] = [declarations('light'), declarations('dark')];
  if (light === '' && dark === '') return '';
  const resets = light.replace(/(--[\w-]+):[^;]*/g, '$1:revert-layer');
  const bright = ":root:not([data-theme='dark'])";
  return [
    `${bright}{${light}}`,
    `@media print{:root{${light}}}`,
    `@media not print{:root[data-theme='dark']{${dark}}}`,
    `@media screen and (prefers-color-scheme:dark) and (scripting:none){${bright}{${resets}${dark}}}`,
    '',
  ].join('\n');
}
