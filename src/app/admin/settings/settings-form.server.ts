import { z } from 'zod';
import { SettingsError, type SettingView } from '#platform/settings/change-settings.server.ts';
import { knownDefinition, settingNames } from '#platform/settings/setting-definitions.server.ts';
import { readSettingText, settingText } from '#platform/settings/setting-kinds.server.ts';
import { readAct } from '../acts.server.ts';
import type { AdminRequest } from '../admin-request.server.ts';

export interface TypedSetting {
  text: string;
  /** The value when the page was loaded; if `text` equals it, the setting is not changed. */
  was: string;
  toDefault: boolean;
}

export type TypedSettings = ReadonlyMap<string, TypedSetting>;

export const fieldNames = (name: string) =>
  ({ text: `set.${name}`, was: `was.${name}`, toDefault: `default.${name}` }) as const;

/** Returns the number of the newest change that the page shows. */
export const newestOf = (settings: readonly SettingView[]): number =>
  Math.max(0, ...settings.map(({ changed }) => changed?.change ?? 0));

/** Returns whether the settings form has this setting; pictures have their own page. */
export const isTyped = (name: string): boolean => knownDefinition(name).kind !== 'picture';

const given = z.string().optional();

export async function readSettingsForm(request: AdminRequest) {
  const names = settingNames().filter(isTyped);
  const shape = Object.fromEntries(
    names.flatMap((name) => Object.values(fieldNames(name)).map((key) => [key, given])),
  );
  const { act, fields } = await readAct(request, {
    ...shape,
    seen: z.coerce.number().int().min(0).default(0),
  });
  const sent = fields as Record<string, unknown>;
  const textOf = (key: string) => {
    const text = sent[key];
    // Browsers send line breaks in forms as CR LF.
    return typeof text === 'string' ? text.replaceAll('\r\n', '\n') : null;
  };
  const typed = new Map<string, TypedSetting>();
  for (const name of names) {
    const keys = fieldNames(name);
    const [text, was] = [textOf(keys.text), textOf(keys.was)];
    if (text !== null && was !== null)
      typed.set(name, { text, was, toDefault: textOf(keys.toDefault) !== null });
  }
  return { act, typed, seen: Number(sent.seen) };
}

/** @throws SettingsError if a setting is both edited and reset to its default. */
export function patchOf(typed: TypedSettings): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const problems: Array<{ name: string; problem: string }> = [];
  for (const [name, { text, was, toDefault }] of typed) {
    if (toDefault && text !== was)
      problems.push({ name, problem: 'cannot be changed and reset to its default at once' });
    if (toDefault) patch[name] = null;
    else if (text !== was) patch[name] = readSettingText(knownDefinition(name), text);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return patch;
}

const sizeOf = (value: unknown): string => {
  const { width, height } = value as { width: number; height: number };
  return `of ${width} × ${height} pixels`;
};

export const shownText = ({ kind }: Pick<SettingView, 'kind'>, value: unknown): string => {
  if (kind === 'flag') return value === true ? 'On' : 'Off';
  if (kind === 'number' && typeof value === 'number')
    return value.toLocaleString('en', { maximumFractionDigits: 9 });
  if (kind === 'picture') return value === null ? 'the built-in logo' : `image ${sizeOf(value)}`;
  const text = settingText(value).replaceAll('\n', ', ');
  return text || (kind === 'color' ? 'built-in color' : 'none');
};
