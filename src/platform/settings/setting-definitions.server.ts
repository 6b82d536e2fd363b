import type { Environment } from '#platform/config/environment-schema.server.ts';
import type { SettingKind } from './setting-kinds.server.ts';

export interface SettingDefinition extends SettingKind {
  group: 'Brand' | 'Contact' | 'Models' | 'Limits' | 'Payments';
  label: string;
  about: string;
  /** What it is until somebody changes it; of a `variable`, what that is without a value. */
  shipped: unknown;
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

/** In the order in which they are listed. */
export function describeSettings(described: Readonly<Record<string, SettingDefinition>>): void {
  for (const [name, definition] of Object.entries(described)) definitions.set(name, definition);
}

export const settingNames = (): string[] => [...definitions.keys()];

export const definitionOf = (name: string): SettingDefinition | undefined => definitions.get(name);

/** @throws Error for a name that nobody has described. */
export function knownDefinition(name: string): SettingDefinition {
  const definition = definitions.get(name);
  if (!definition) throw new Error(`There is no setting ${name}.`);
  return definition;
}
