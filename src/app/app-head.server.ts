import uiFont from '@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2?url';
import { locale } from '#messages';
import { pageColors } from '#shared/page-colors.ts';

const themeColor = (theme: 'light' | 'dark') =>
  `<meta name="theme-color" content="${pageColors[theme]}" media="(prefers-color-scheme: ${theme})"/>`;

/** Head elements that browsers read once and page scripts never need. */
const appHead = () =>
  [
    `<link rel="preload" href="${uiFont}" as="font" type="font/woff2" crossorigin="anonymous"/>`,
    themeColor('light'),
    themeColor('dark'),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>',
    '<link rel="icon" href="/favicon.ico" sizes="32x32"/>',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png"/>',
    `<link rel="manifest" href="/site.webmanifest?lang=${locale()}"/>`,
  ].join('');

/** Adds elements to the head that React did not render; hydration leaves them unchanged. */
export const withAppHead = (html: string): string =>
  html.replace('<meta name="color-scheme"', (next) => appHead() + next);
