import { isDeepStrictEqual } from 'node:util';
import { nearestName } from '#platform/config/nearest-name.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { pressWasRecorded, recordAction } from '#platform/operator-actions.server.ts';
import { conflicts, variableValue } from './environment-settings.server.ts';
import { effectiveSettings, loadSettings, type SettingProblem } from './live-settings.server.ts';
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
  type StoredSetting,
  storedSettings,
} from './settings-store.server.ts';

/** A sentence, or a setting with a problem that completes a sentence about it. */
type Refusal = string | SettingProblem;

/** Rejects a change; its message is for the operator, with one line per problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly Refusal[];
  constructor(problems: readonly Refusal[]) {
    super(
      problems.map((each) => (typeof each === 'string' ? each : `${each.name} ${each.problem}.`)).join('\n'),
    );
    this.problems = problems;
  }
}

/** Another operator has changed some of these settings in the meantime. */
export class SettingsConflictError extends SettingsError {}

export interface SettingView
  extends Omit<
    SettingDefinition,
    'schema' | 'shipped' | 'toVariable' | 'fromVariable' | 'available' | 'check'
  > {
  name: string;
  /** Null if it is a variable without a value. */
  value: unknown;
  fallback: unknown;
  /** Where the value comes from; `default` is the shipped value. */
  source: 'stored' | 'environment' | 'default';
  changed: { change: number; at: Date; actor: string } | null;
  /** A switch that is off because its requirements are not met. */
  isMissing: boolean;
  /** Why the stored value is not used. */
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
      check: ______,
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
      changed: row ? { change: row.change, at: row.at, actor: row.actor } : null,
      isMissing: definition.available?.() === false,
      problem: problems.find((each) => each.name === name)?.problem ?? null,
    };
  });
}

export async function exportSettings(): Promise<Record<string, unknown>> {
  return (await effectiveSettings(database())).values;
}

/** Checks that a setting exists. @throws SettingsError */
export function settingName(name: string): string {
  if (definitionOf(name)) return name;
  const nearest = nearestName(name, settingNames(), 4);
  throw new SettingsError([`There is no setting ${name}${nearest ? `; did you mean ${nearest}?` : '.'}`]);
}

function parsePatch(patch: Readonly<Record<string, unknown>>): Array<[string, unknown]> {
  const problems: Refusal[] = [];
  const parsed: Array<[string, unknown]> = [];
  for (const [givenName, value] of Object.entries(patch)) {
    try {
      const name = settingName(givenName);
      const result = value === null ? null : knownDefinition(name).schema.safeParse(value);
      if (result?.success === false)
        problems.push({ name, problem: result.error.issues[0]?.message ?? 'is not valid' });
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

async function checkValues(tx: Database, values: readonly ChangedValue[]): Promise<void> {
  const problems: SettingProblem[] = [];
  for (const { name, after } of values) {
    const problem = after === null ? null : await knownDefinition(name).check?.(tx, after as never);
    if (problem) problems.push({ name, problem });
  }
  if (problems.length > 0) throw new SettingsError(problems);
}

interface ChangeAuthor {
  /** Who makes the change: a system user's name or an account's address. */
  actor: string;
  operatorId?: string;
  /** Idempotency key of the button press. */
  press?: string;
}

interface ChangeRequest extends ChangeAuthor {
  patch: Readonly<Record<string, unknown>>;
  /** The newest change that `actor` has seen: settings that were changed since then are refused. */
  seen?: number;
}

const logAction = (
  tx: Database,
  { actor, operatorId, press }: ChangeAuthor,
  action: string,
  details: object,
) => recordAction(tx, { operator: actor, operatorId, press, action, details });

const wasRecorded = async (tx: Database, { press }: ChangeAuthor) =>
  press !== undefined && (await pressWasRecorded(tx, press));

function rejectUnseen(stored: readonly StoredSetting[], names: readonly string[], seen: number): void {
  const problems = stored
    .filter(({ name, change }) => change > seen && names.includes(name))
    .map(({ name, actor }) => ({ name, problem: `was changed by ${actor} in the meantime` }));
  if (problems.length > 0) throw new SettingsConflictError(problems);
}

const byName = (stored: readonly StoredSetting[]) => new Map(stored.map(({ name, value }) => [name, value]));

/**
 * Applies all of `patch` or nothing; null resets a setting to its default. Takes effect in every process within 5 s.
 * @returns the number of the change; null if nothing changes. @throws SettingsError
 */
export async function changeSettings({ patch, seen, ...author }: ChangeRequest): Promise<number | null> {
  const parsed = parsePatch(patch);
  const change = await transaction(async (tx) => {
    await lockSettings(tx);
    if (await wasRecorded(tx, author)) return null;
    const rows = await storedSettings(tx);
    const stored = byName(rows);
    const values = parsed
      .map(([name, after]): ChangedValue => ({ name, before: stored.get(name) ?? null, after }))
      .filter(({ before, after }) => !isDeepStrictEqual(before, after));
    const names = values.map(({ name }) => name);
    if (seen !== undefined) rejectUnseen(rows, names, seen);
    for (const { name, after } of values) stored.set(name, after);
    checkConflicts(stored);
    if (values.length === 0) return null;
    await checkValues(tx, values);
    const changeId = await insertChange(tx, { actor: author.actor, undoes: null, values });
    await logAction(tx, author, 'settings', { change: changeId, names });
    return changeId;
  });
  await loadSettings();
  return change;
}

/** Newest first. */
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
 * Reverts a change, by default the last one, except for settings that have changed again since.
 * @returns null if this press has already done so. @throws SettingsError
 */
export async function undoSettings({
  change,
  ...author
}: ChangeAuthor & { change?: number }): Promise<{ undone: number; kept: string[] } | null> {
  const done = await transaction(async (tx) => {
    await lockSettings(tx);
    if (await wasRecorded(tx, author)) return null;
    const target = change ?? (await lastUndoable(tx));
    if (target === null) throw new SettingsError(['There is no change to undo.']);
    const [found] = await changes(tx, { only: target, limit: 1 });
    if (!found) throw new SettingsError([`There is no change ${target}.`]);
    const stored = byName(await storedSettings(tx));
    const revertible = found.values.filter(({ name, after }) =>
      isDeepStrictEqual(stored.get(name) ?? null, after),
    );
    if (revertible.length === 0)
      throw new SettingsError([
        `Nothing to undo: everything in change ${target} has changed again since then. To see how: npm run settings -- history`,
      ]);
    const before = new Map<string, unknown>(
      parsePatch(Object.fromEntries(revertible.map((each) => [each.name, each.before]))),
    );
    const values = revertible.map(({ name, after }) => ({
      name,
      before: after,
      after: before.get(name) ?? null,
    }));
    for (const { name, after } of values) stored.set(name, after);
    checkConflicts(stored);
    await checkValues(tx, values);
    const changeId = await insertChange(tx, { actor: author.actor, undoes: target, values });
    const kept = found.values.map(({ name }) => name).filter((name) => !before.has(name));
    await logAction(tx, author, 'settings undone', {
      change: changeId,
      undone: target,
      names: [...before.keys()],
      kept,
    });
    return { undone: target, kept };
  });
  await loadSettings();
  return done;
}
