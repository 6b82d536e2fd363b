import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { database } from '#platform/database/database.server.ts';
import { onNotification } from '#platform/database/notifications.server.ts';
import { log } from '#platform/log.server.ts';
import { provideSettings } from '#shared/settings.ts';
import { brandSettings } from './brand-settings.server.ts';
import { environmentSettings, replaceVariables } from './environment-settings.server.ts';
import {
  definitionOf,
  describeSettings,
  knownDefinition,
  settingNames,
} from './setting-definitions.server.ts';
import {
  earlierValues,
  newestChange,
  SETTINGS_CHANNEL,
  type SettingsReader,
  storedSettings,
} from './settings-store.server.ts';

/** How often to check for changes whose notification was lost. */
const REREAD_MS = 2_000;

interface Snapshot {
  /** Only valid in this process; others may have another version for the same values. */
  version: number;
  changed: Readonly<Record<string, unknown>>;
  json: string | null;
}

let current: Snapshot = { version: 0, changed: {}, json: null };
/** Number of the newest change that was read. */
let lastChange = 0;

const pinned = new AsyncLocalStorage<Snapshot>();
const snapshot = () => pinned.getStore() ?? current;

/** Pages rendered under another version must not be reused. */
export const settingsVersion = (): number => snapshot().version;

/** Runs `work` with the current values, so that a page is consistent even if a setting changes meanwhile. */
export const withSettingsPinned = <T>(work: () => T): T => pinned.run(snapshot(), work);

/** Why a stored setting is invalid, such as one from an earlier build or one that was written by hand. */
export interface SettingProblem {
  name: string;
  problem: string;
}

export interface EffectiveSettings {
  values: Record<string, unknown>;
  problems: SettingProblem[];
  change: number;
}

const parse = (name: string, value: unknown) => knownDefinition(name).schema.safeParse(value);

/** Returns the latest value in the setting's history that this build accepts; null for the default. */
async function lastValid(db: SettingsReader, name: string): Promise<unknown> {
  for (const value of await earlierValues(db, name)) {
    if (value === null) return null;
    const { success, data } = parse(name, value);
    if (success) return data;
  }
  return null;
}

export async function effectiveSettings(db: SettingsReader): Promise<EffectiveSettings> {
  const effective: EffectiveSettings = { values: {}, problems: [], change: 0 };
  for (const { name, value, change } of await storedSettings(db)) {
    effective.change = Math.max(effective.change, change);
    if (value === null) continue;
    if (!definitionOf(name)) {
      effective.problems.push({ name, problem: 'is not a setting of this build' });
      continue;
    }
    const { success, data, error } = parse(name, value);
    if (!success) effective.problems.push({ name, problem: error.issues[0]?.message ?? 'is not valid' });
    const valid = success ? data : await lastValid(db, name);
    if (valid !== null) effective.values[name] = valid;
  }
  return effective;
}

/** JSON that is safe inside an HTML script element; null without settings for pages. */
function jsonOf(values: Readonly<Record<string, unknown>>): string | null {
  const shown = Object.entries(values).filter(([name]) => definitionOf(name)?.inPages);
  return shown.length === 0 ? null : JSON.stringify(Object.fromEntries(shown)).replaceAll('<', '\\u003c');
}

function apply({ values, change }: EffectiveSettings): void {
  // A slow read must not overwrite the result of a later one.
  if (change < lastChange) return;
  lastChange = change;
  replaceVariables(values);
  const missing = settingNames().filter((name) => definitionOf(name)?.available?.() === false);
  const next = { ...values, ...Object.fromEntries(missing.map((name) => [name, false])) };
  if (isDeepStrictEqual(next, current.changed)) return;
  current = { version: current.version + 1, changed: next, json: jsonOf(next) };
}

describeSettings(brandSettings);
describeSettings(environmentSettings);
provideSettings({ changed: () => snapshot().changed, json: () => snapshot().json });

/** @returns the stored settings that are not accepted. */
export async function loadSettings(db: SettingsReader = database()): Promise<SettingProblem[]> {
  const effective = await effectiveSettings(db);
  apply(effective);
  return effective.problems;
}

async function reread(): Promise<void> {
  try {
    if ((await newestChange(database())) === lastChange) return;
    const problems = await loadSettings();
    for (const problem of problems)
      log.warn(problem, 'a stored setting is invalid; its last valid value is used');
    log.info({ change: lastChange }, 'the settings have changed');
  } catch (error) {
    log.debug({ error }, 'the settings could not be read; retrying');
  }
}

let timer: NodeJS.Timeout | undefined;

/** Call it before `startListening`. */
export function followSettings(): void {
  onNotification(SETTINGS_CHANNEL, () => void reread());
  timer ??= setInterval(() => void reread(), REREAD_MS).unref();
}

export function stopFollowingSettings(): void {
  clearInterval(timer);
  timer = undefined;
}
