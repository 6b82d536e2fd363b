import type { Environment } from '#platform/config/environment-schema.server.ts';
import type { SettingKind } from './setting-kinds.server.ts';
import type { SettingsReader } from './settings-store.server.ts';

/** In the order in which they are listed. */
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
  /** What it is until somebody changes it; of a `variable`, what that is without a value. */
  shipped: unknown;
  /** Of a switch: it is off, whatever is stored, while what it needs is missing. */
  available?: () => boolean;
  /** What only the database can tell of a value that fits. @returns what is wrong with it. */
  check?: (db: SettingsReader, value: never) => Promise<string | null>;
  /** Browsers get it with the page. */
  inPages?: boolean;
  /** Whose value in the environment stands below the stored one. */
  variable?: keyof Environment;
  /** What the variable becomes by a stored value, where it is not that value itself. */
  toVariable?: (value: never) => unknown;
  /** What of a variable's value is shown, where it is not that value itself. */
  fromVariable?: (value: never) => unknown;
}

const definitions = new Map<string, SettingDefinition>();

/** Within a group they are listed in the order in which they are described. */
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

/** @throws Error for a name that nobody has described. */
export function knownDefinition(name: string): SettingDefinition {
  const definition = definitions.get(name);
  if (!definition) throw new Error(`There is no setting ${name}.`);
  return definition;
}
