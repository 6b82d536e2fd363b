import { hasBrandFiles, type Logo } from '#platform/brand-files/brand-files.server.ts';
import { type ShippedSettings, shippedSettings } from '#shared/settings.ts';
import { contrastProblem } from './brand-colors.server.ts';
import type { SettingDefinition } from './setting-definitions.server.ts';
import { color, email, flag, lines, picture, text } from './setting-kinds.server.ts';

/** Contrast ratios of WCAG 2.2 for text and for the edge of a control. */
const [TEXT, EDGE] = [4.5, 3];

const described: Record<keyof ShippedSettings, Omit<SettingDefinition, 'shipped' | 'inPages'>> = {
  'brand.name': {
    group: 'Brand',
    label: 'Name',
    about: 'Name of the site on every page and in every email.',
    ...text(40),
  },
  'brand.logo': {
    group: 'Brand',
    label: 'Logo',
    about:
      'Image that replaces the built-in logo on pages, social cards and in browser tabs. Upload it at /admin/settings/logo.',
    check: async (db, logo: Logo) =>
      (await hasBrandFiles(db, logo))
        ? null
        : 'is an image this site does not have: upload it at /admin/settings/logo',
    ...picture(),
  },
  'brand.mark': {
    group: 'Brand',
    label: 'Highlighter',
    about: 'Highlighter behind words that stand out. Empty: the built-in color.',
    ...color(() => null),
  },
  'brand.mark.dark': {
    group: 'Brand',
    label: 'Highlighter, dark theme',
    about: 'The same in the dark theme.',
    ...color(() => null),
  },
  'brand.accent': {
    group: 'Brand',
    label: 'Accent',
    about: 'Color of small accents in text. Empty: the built-in color.',
    ...color(contrastProblem('light', TEXT)),
  },
  'brand.accent.dark': {
    group: 'Brand',
    label: 'Accent, dark theme',
    about: 'The same in the dark theme.',
    ...color(contrastProblem('dark', TEXT)),
  },
  'brand.primary': {
    group: 'Brand',
    label: 'Buttons',
    about:
      'Color of primary buttons. Their text turns black or white, whichever is easier to read. Empty: the built-in color.',
    ...color(contrastProblem('light', EDGE)),
  },
  'brand.primary.dark': {
    group: 'Brand',
    label: 'Buttons, dark theme',
    about: 'The same in the dark theme.',
    ...color(contrastProblem('dark', EDGE)),
  },
  'contact.email': {
    group: 'Contact',
    label: 'Support address',
    about: 'Support address: shown on legal pages and in emails, and where contact form messages go.',
    ...email(),
  },
  'contact.address': {
    group: 'Contact',
    label: 'Postal address',
    about: 'Your legal name and postal address, line by line. Shown on legal pages and in the newsletter.',
    ...lines(8),
  },
  'consent.functional': {
    group: 'Contact',
    label: 'Functional cookies start on',
    about:
      'Whether functional cookies start switched on under Customize in the cookie banner. Off (false) for sites with visitors from the EU.',
    ...flag(),
  },
};

export const brandSettings: Record<string, SettingDefinition> = Object.fromEntries(
  Object.entries(described).map(([name, definition]) => [
    name,
    { ...definition, shipped: shippedSettings[name as keyof ShippedSettings], inPages: true },
  ]),
);
