import { site } from '#content/site.ts';

/** Settings that pages show, by name, with the values that the site is shipped with. */
export const shippedSettings = {
  'brand.name': site.name,
  'brand.logo': site.logo,
  /** #rrggbb for the light and the dark theme; '' is the color of src/ui/tokens.css. */
  'brand.mark': '',
  'brand.mark.dark': '',
  'brand.accent': '',
  'brand.accent.dark': '',
  'brand.primary': '',
  'brand.primary.dark': '',
  'contact.email': site.supportEmail,
  'contact.address': site.postalAddress,
  'consent.functional': site.consent.functionalStartsOn,
};

export type ShippedSettings = typeof shippedSettings;
type Changed = Readonly<Record<string, unknown>>;

/** Element of a page that holds as JSON what was changed. */
export const settingsElement = 'settings';

interface SettingsSource {
  changed(): Changed;
  /** What of it a page may know, as HTML takes it within a script element; null where nothing was changed. */
  json(): string | null;
}

function ofDocument(): SettingsSource {
  const element = typeof document === 'undefined' ? null : document.getElementById(settingsElement);
  const json = element?.textContent || null;
  const changed = JSON.parse(json ?? '{}') as Changed;
  return { changed: () => changed, json: () => json };
}

let source: SettingsSource | undefined;
function current(): SettingsSource {
  source ??= ofDocument();
  return source;
}

/** The server's values may differ from one moment to the next; those of a document stay. */
export function provideSettings(given: SettingsSource): void {
  source = given;
}

/** The operator's value, else what the site is shipped with. */
export const settingOr = <Value>(name: string, shipped: Value): Value =>
  (current().changed()[name] as Value | undefined) ?? shipped;

export const setting = <Name extends keyof ShippedSettings>(name: Name): ShippedSettings[Name] =>
  settingOr(name, shippedSettings[name]);

export const changedSettingsJson = (): string | null => current().json();
