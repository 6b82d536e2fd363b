import { site } from '#content/site.ts';

/** Settings that pages show, by name, with the values that the site is shipped with. */
export const shippedSettings = {
  'brand.name': site.name,
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

export type SharedSettings = typeof shippedSettings;

/** Element of a page that holds what differs from the shipped values, as JSON. */
export const settingsElement = 'settings';

function ofDocument(): SharedSettings {
  const element = typeof document === 'undefined' ? null : document.getElementById(settingsElement);
  return { ...shippedSettings, ...(JSON.parse(element?.textContent || '{}') as Partial<SharedSettings>) };
}

let source = (): SharedSettings => {
  const values = ofDocument();
  source = () => values;
  return values;
};

/** The server's values may differ from one moment to the next; those of a document stay. */
export function provideSettings(values: () => SharedSettings): void {
  source = values;
}

export const setting = <Name extends keyof SharedSettings>(name: Name): SharedSettings[Name] =>
  source()[name];

/** As HTML takes it within a script element; null where nothing was changed. */
export function changedSettingsJson(): string | null {
  const values = source();
  const changed = Object.entries(values).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(shippedSettings[name as keyof SharedSettings]),
  );
  return changed.length === 0 ? null : JSON.stringify(Object.fromEntries(changed)).replaceAll('<', '\\u003c');
}
