import { site } from '#content/site.ts';

/** Settings that pages show, with their default values. */
export const shippedSettings = {
  'brand.name': site.name,
  'brand.logo': site.logo,
  /** #rrggbb for the light and the dark theme; '' means the color in src/ui/tokens.css. */
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

/** Id of the element with the changed settings as JSON. */
export const settingsElement = 'settings';

interface SettingsSource {
  changed(): Changed;
  /** The changed settings that pages may see, escaped for a script element; null if nothing was changed. */
  json(): string | null;
}

function documentSource(): SettingsSource {
  const element = typeof document === 'undefined' ? null : document.getElementById(settingsElement);
  const json = element?.textContent || null;
  const changed = JSON.parse(json ?? '{}') as Changed;
  return { changed: () => changed, json: () => json };
}

let source: SettingsSource | undefined;
function current(): SettingsSource {
  source ??= documentSource();
  return source;
}

/** Sets the source. On the server the values may change at any time; in a document they don't. */
export function provideSettings(newSource: SettingsSource): void {
  source = newSource;
}

/** Returns the operator's value, or the default. */
export const settingOr = <Value>(name: string, shipped: Value): Value =>
  (current().changed()[name] as Value | undefined) ?? shipped;

export const setting = <Name extends keyof ShippedSettings>(name: Name): ShippedSettings[Name] =>
  settingOr(name, shippedSettings[name]);

export const changedSettingsJson = (): string | null => current().json();
