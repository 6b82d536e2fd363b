import type { Environment } from '#platform/config/environment-schema.server.ts';
import type { SettingKind } from './setting-kinds.server.ts';
import type { SettingsReader } from './settings-store.server.ts';

/** In display order. */
export const settingGroups = [
  'Brand',
  'Contact',
  'Pages',
  'Tools',
  'Prices',
  'Limits',
  'Models',
  'Payments',
] as const;

export interface SettingDefinition extends SettingKind {
  group: (typeof settingGroups)[number];
  label: string;
  about: string;
  /** The initial value; for a setting with a `variable`, that variable's default. */
  shipped: unknown;
  /** For a switch: while this is false, the switch is off whatever is stored. */
  available?: () => boolean;
  /** A check that needs the database, for a value that fits the schema. @returns the problem or null. */
  check?: (db: SettingsReader, value: never) => Promise<string | null>;
  /** Whether it is sent to browsers with the page. */
  inPages?: boolean;
  /** The environment variable that applies when no value is stored. */
  variable?: keyof Environment;
  /** Converts a stored value to that of the variable, if they differ. */
  toVariable?: (value: never) => unknown;
  /** Converts the variable's value to the one that is shown, if they differ. */
  fromVariable?: (value: never) => unknown;
}

const definitions = new Map<string, SettingDefinition>();

/** Within a group, settings are listed in the order of these calls. */
export function describeSettings(described: Readonly<Record<string, SettingDefinition>>): void {
  for (const [name, definition] of Object.entries(described)) definitions.set(name, definition);
}

export function setAvailability(name: string, available: () => boolean): void {
  const definition = definitions.get(name);
  if (definition) definition.available = available;
}

export const settingNames = (): string[] =>
  settingGroups.flatMap((group) =>
    [...definitions].flatMap(([name, definition]) => (definition.group === group ? [name] : [])),
  );

export const definitionOf = (name: string): SettingDefinition | undefined => definitions.get(name);

/** @throws Error for an unknown name. */
export function knownDefinition(name: string): SettingDefinition {
  const definition = definitions.get(name);
  if (!definition) throw new Error(`There is no setting ${name}.`);
  return definition;
}
