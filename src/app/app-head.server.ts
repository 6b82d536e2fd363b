import uiFont from '@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2?url';
import { locale } from '#messages';
import { pageColors } from '#shared/page-colors.ts';

const themeColor = (theme: 'light' | 'dark') =>
  `<meta name="theme-color" content="${pageColors[theme]}" media="(prefers-color-scheme: ${theme})"/>`;

/** What browsers read once, and no script of a page needs. */
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

/** React leaves alone what it does not know in the head. */
export const withAppHead = (html: string): string =>
  html.replace('<meta name="color-scheme"', (next) => appHead() + next);
