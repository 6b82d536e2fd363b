import { hasBrandFiles, type Logo } from '#platform/brand-files/brand-files.server.ts';
import { type ShippedSettings, shippedSettings } from '#shared/settings.ts';
import { contrastProblem } from './brand-colors.server.ts';
import type { SettingDefinition } from './setting-definitions.server.ts';
import { color, email, flag, lines, picture, text } from './setting-kinds.server.ts';

/** WCAG 2.2: of text, and of the edge of a control. */
const [TEXT, EDGE] = [4.5, 3];

const described: Record<keyof ShippedSettings, Omit<SettingDefinition, 'shipped' | 'inPages'>> = {
  'brand.name': {
    group: 'Brand',
    label: 'Name',
    about: 'Name of the site, on every page and in every mail.',
    ...text(40),
  },
  'brand.logo': {
    group: 'Brand',
    label: 'Logo',
    about:
      'Picture in place of the shipped mark: on pages, social cards and as the icon of browsers. Uploaded in /admin/settings/logo.',
    check: async (db, logo: Logo) =>
      (await hasBrandFiles(db, logo))
        ? null
        : 'is a picture that this site does not have: upload it in /admin/settings/logo',
    ...picture(),
  },
  'brand.mark': {
    group: 'Brand',
    label: 'Highlighter',
    about: 'Paint behind words that stand out. Empty: as shipped.',
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
    about: 'Color of small marks in texts. Empty: as shipped.',
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
    about: 'Color of the main buttons; their words are black or white by themselves. Empty: as shipped.',
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
    about: 'Who answers questions: on the pages of law, in mails, and where messages of the contact form go.',
    ...email(),
  },
  'contact.address': {
    group: 'Contact',
    label: 'Postal address',
    about:
      'Legal name and postal address of who runs the site, line by line; the pages of law and the newsletter show it.',
    ...lines(8),
  },
  'consent.functional': {
    group: 'Contact',
    label: 'Functional cookies start on',
    about:
      'Whether Customize of the cookie banner opens with functional cookies on. Off (false) for sites with visitors from the EU.',
    ...flag(),
  },
};

export const brandSettings: Record<string, SettingDefinition> = Object.fromEntries(
  Object.entries(described).map(([name, definition]) => [
    name,
    { ...definition, shipped: shippedSettings[name as keyof ShippedSettings], inPages: true },
  ]),
);
