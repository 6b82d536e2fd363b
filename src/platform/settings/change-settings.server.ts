import { isDeepStrictEqual } from 'node:util';
import { nearestName } from '#platform/config/nearest-name.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { conflicts, variableValue } from './environment-settings.server.ts';
import { effectiveSettings, loadSettings } from './live-settings.server.ts';
import {
  definitionOf,
  knownDefinition,
  type SettingDefinition,
  settingNames,
} from './setting-definitions.server.ts';
import {
  type ChangedValue,
  changes,
  insertChange,
  lastUndoable,
  lockSettings,
  type SettingChange,
  type SettingsReader,
  storedSettings,
} from './settings-store.server.ts';

/** Refuses a change; its message is for the operator, a line for each problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** What a form or a list needs to know of a setting. */
export interface SettingView
  extends Omit<SettingDefinition, 'schema' | 'shipped' | 'toVariable' | 'fromVariable' | 'available'> {
  name: string;
  /** null: none, of a variable without a value. */
  value: unknown;
  fallback: unknown;
  /** Where the value comes from; `default` is as shipped. */
  source: 'stored' | 'environment' | 'default';
  changed: { at: Date; actor: string } | null;
  /** A switch that is off because what it needs is missing. */
  isMissing: boolean;
  /** Why what is stored is not taken. */
  problem: string | null;
}

function fallbackOf(definition: SettingDefinition): Pick<SettingView, 'fallback' | 'source'> {
  const { variable, shipped } = definition;
  if (!variable) return { fallback: shipped, source: 'default' };
  const fallback = variableValue(definition);
  return { fallback, source: String(fallback ?? '') === String(shipped) ? 'default' : 'environment' };
}

export async function readSettings(): Promise<SettingView[]> {
  const [{ values, problems }, stored] = await Promise.all([
    effectiveSettings(database()),
    storedSettings(database()),
  ]);
  return settingNames().map((name) => {
    const definition = knownDefinition(name);
    const {
      schema: _,
      shipped: __,
      toVariable: ___,
      fromVariable: ____,
      available: _____,
      ...described
    } = definition;
    const row = stored.find((each) => each.name === name);
    const { fallback, source } = fallbackOf(definition);
    return {
      ...described,
      name,
      value: values[name] ?? fallback,
      fallback,
      source: values[name] === undefined ? source : 'stored',
      changed: row ? { at: row.at, actor: row.actor } : null,
      isMissing: definition.available?.() === false,
      problem: problems.find((each) => each.name === name)?.problem ?? null,
    };
  });
}

/** What of the settings is stored, as a file takes it. */
export async function exportSettings(): Promise<Record<string, unknown>> {
  return (await effectiveSettings(database())).values;
}

/** @throws SettingsError for a name that there is not. */
export function settingName(name: string): string {
  if (definitionOf(name)) return name;
  const close = nearestName(name, settingNames(), 4);
  throw new SettingsError([`There is no setting ${name}${close ? `; did you mean ${close}?` : '.'}`]);
}

function parsePatch(patch: Readonly<Record<string, unknown>>): Array<[string, unknown]> {
  const problems: string[] = [];
  const parsed: Array<[string, unknown]> = [];
  for (const [given, value] of Object.entries(patch)) {
    try {
      const name = settingName(given);
      const result = value === null ? null : knownDefinition(name).schema.safeParse(value);
      if (result?.success === false)
        problems.push(`${name} ${result.error.issues[0]?.message ?? 'is not valid'}.`);
      else parsed.push([name, result?.data ?? null]);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return parsed;
}

function checkConflicts(stored: ReadonlyMap<string, unknown>): void {
  const problems = conflicts(Object.fromEntries(stored));
  if (problems.length > 0) throw new SettingsError(problems);
}

interface Wish {
  /** Who changes: name of the system's user, or of an account. */
  actor: string;
  patch: Readonly<Record<string, unknown>>;
}

const byName = async (db: SettingsReader) =>
  new Map((await storedSettings(db)).map(({ name, value }) => [name, value]));

/**
 * All of `patch` or nothing; null sets a setting back to its default. Every process has it within 5 s.
 * @returns the number of the change; null where all is so already. @throws SettingsError
 */
export async function changeSettings({ actor, patch }: Wish): Promise<number | null> {
  const wanted = parsePatch(patch);
  const change = await transaction(async (tx) => {
    await lockSettings(tx);
    const stored = await byName(tx);
    const values = wanted
      .map(([name, after]): ChangedValue => ({ name, before: stored.get(name) ?? null, after }))
      .filter(({ before, after }) => !isDeepStrictEqual(before, after));
    for (const { name, after } of values) stored.set(name, after);
    checkConflicts(stored);
    return values.length === 0 ? null : insertChange(tx, { actor, undoes: null, values });
  });
  await loadSettings();
  return change;
}

/** The newest first. */
export function settingsHistory({
  name,
  limit = 50,
}: {
  name?: string;
  limit?: number;
} = {}): Promise<SettingChange[]> {
  return changes(database(), { name: name === undefined ? undefined : settingName(name), limit });
}

/**
 * Sets back what a change has changed, by default the last one; what was changed once more since then stays.
 * @throws SettingsError
 */
export async function undoSettings({
  actor,
  change,
}: {
  actor: string;
  change?: number;
}): Promise<{ undone: number; kept: string[] }> {
  const done = await transaction(async (tx) => {
    await lockSettings(tx);
    const wanted = change ?? (await lastUndoable(tx));
    if (wanted === null) throw new SettingsError(['There is no change to undo.']);
    const [found] = await changes(tx, { only: wanted, limit: 1 });
    if (!found) throw new SettingsError([`There is no change ${wanted}.`]);
    const stored = await byName(tx);
    const open = found.values.filter(({ name, after }) => isDeepStrictEqual(stored.get(name) ?? null, after));
    if (open.length === 0)
      throw new SettingsError([`All of change ${wanted} was changed again since then; see the history.`]);
    const before = new Map<string, unknown>(
      parsePatch(Object.fromEntries(open.map((each) => [each.name, each.before]))),
    );
    const values = open.map(({ name, after }) => ({ name, before: after, after: before.get(name) ?? null }));
    for (const { name, after } of values) stored.set(name, after);
    checkConflicts(stored);
    await insertChange(tx, { actor, undoes: wanted, values });
    const kept = found.values.map(({ name }) => name).filter((name) => !before.has(name));
    return { undone: wanted, kept };
  });
  await loadSettings();
  return done;
}
