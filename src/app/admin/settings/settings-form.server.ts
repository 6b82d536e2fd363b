import { z } from 'zod';
import { SettingsError, type SettingView } from '#platform/settings/change-settings.server.ts';
import { knownDefinition, settingNames } from '#platform/settings/setting-definitions.server.ts';
import { readSettingText, settingText } from '#platform/settings/setting-kinds.server.ts';
import { readAction } from '../actions.server.ts';
import type { AdminRequest } from '../admin-request.server.ts';

export interface EnteredSetting {
  text: string;
  /** The value when the page was loaded; if `text` equals it, the setting is not changed. */
  original: string;
  toDefault: boolean;
}

export type EnteredSettings = ReadonlyMap<string, EnteredSetting>;

export const fieldNames = (name: string) =>
  ({ text: `set.${name}`, original: `was.${name}`, toDefault: `default.${name}` }) as const;

/** Returns the number of the newest change that the page shows. */
export const newestChange = (settings: readonly SettingView[]): number =>
  Math.max(0, ...settings.map(({ changed }) => changed?.change ?? 0));

/** Returns whether the settings form has this setting; pictures have their own page. */
export const isInForm = (name: string): boolean => knownDefinition(name).kind !== 'picture';

const optionalText = z.string().optional();

export async function readSettingsForm(request: AdminRequest) {
  const names = settingNames().filter(isInForm);
  const shape = Object.fromEntries(
    names.flatMap((name) => Object.values(fieldNames(name)).map((key) => [key, optionalText])),
  );
  const { action, fields } = await readAction(request, {
    ...shape,
    seen: z.coerce.number().int().min(0).default(0),
  });
  const submitted = fields as Record<string, unknown>;
  const readText = (key: string) => {
    const text = submitted[key];
    // Browsers send line breaks in forms as CR LF.
    return typeof text === 'string' ? text.replaceAll('\r\n', '\n') : null;
  };
  const entered = new Map<string, EnteredSetting>();
  for (const name of names) {
    const keys = fieldNames(name);
    const [text, original] = [readText(keys.text), readText(keys.original)];
    if (text !== null && original !== null)
      entered.set(name, { text, original, toDefault: readText(keys.toDefault) !== null });
  }
  return { action, entered, seen: Number(submitted.seen) };
}

/** @throws SettingsError if a setting is both edited and reset to its default. */
export function buildPatch(entered: EnteredSettings): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const problems: Array<{ name: string; problem: string }> = [];
  for (const [name, { text, original, toDefault }] of entered) {
    if (toDefault && text !== original)
      problems.push({ name, problem: 'cannot be changed and reset to its default at once' });
    if (toDefault) patch[name] = null;
    else if (text !== original) patch[name] = readSettingText(knownDefinition(name), text);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return patch;
}

const sizeOf = (value: unknown): string => {
  const { width, height } = value as { width: number; height: number };
  return `of ${width} × ${height} pixels`;
};

export const displayText = ({ kind }: Pick<SettingView, 'kind'>, value: unknown): string => {
  if (kind === 'flag') return value === true ? 'On' : 'Off';
  if (kind === 'number' && typeof value === 'number')
    return value.toLocaleString('en', { maximumFractionDigits: 9 });
  if (kind === 'picture') return value === null ? 'the built-in logo' : `image ${sizeOf(value)}`;
  const text = settingText(value).replaceAll('\n', ', ');
  return text || (kind === 'color' ? 'built-in color' : 'none');
};
