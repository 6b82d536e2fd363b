import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  changeSettings,
  exportSettings,
  readSettings,
  SettingsError,
  type SettingView,
  settingName,
  settingsHistory,
  undoSettings,
} from '#platform/settings/change-settings.server.ts';
import { knownDefinition } from '#platform/settings/setting-definitions.server.ts';
import { isListSetting, readSettingText, settingText } from '#platform/settings/setting-kinds.server.ts';
import { reportCommandError, runCommand } from './run-command.server.ts';
import { formatMinute, printLine } from './terminal-output.server.ts';

const help = `npm run settings                      every setting, its value, and where the value comes from
npm run settings -- get NAME          one setting, and what it accepts
npm run settings -- set NAME VALUE    changes a setting; for a list, pass one value per line ("Street 1" "City")
npm run settings -- unset NAME...     resets settings to their defaults
npm run settings -- history [NAME]    who changed what and when, with old and new values
npm run settings -- undo [CHANGE]     undoes the last change, or the change with this number
npm run -s settings -- export         all stored settings, as JSON
npm run settings -- import FILE       stores all settings of such a file, or none
Running processes pick up a change within 5 s. Every change is logged with your system username.
You can also change settings at /admin/settings.`;

const options = { help: { type: 'boolean', short: 'h' } } as const;

/** Limit of an imported file, in bytes: far more than all settings need. */
const MAX_FILE_BYTES = 512 * 1024;

const actor = () => userInfo().username;

const formatValue = (value: unknown): string =>
  value === null
    ? '(default)'
    : value === ''
      ? '(empty)'
      : typeof value === 'string'
        ? value
        : JSON.stringify(Array.isArray(value) && value.length > 0 ? settingText(value).split('\n') : value);

/** Formats a variable's value; null means that it has none. */
const formatCurrent = (value: unknown): string => (value === null ? '(none)' : formatValue(value));

const describeSource = ({ source, variable, changed, problem, isMissing }: SettingView): string => {
  if (isMissing) return `${source}; off because something it needs is missing, see npm run doctor`;
  if (problem) return `the stored value ${problem}; this value is used instead`;
  if (source === 'environment') return variable ?? source;
  return source === 'stored' && changed ? `${changed.actor}, ${formatMinute(changed.at)}` : source;
};

async function list(): Promise<void> {
  const settings = await readSettings();
  const width = Math.max(...settings.map(({ name }) => name.length));
  let group = '';
  for (const setting of settings) {
    if (setting.group !== group) printLine(`${group && '\n'}${setting.group}`);
    group = setting.group;
    printLine(
      `  ${setting.name.padEnd(width)}  ${formatCurrent(setting.value)}  [${describeSource(setting)}]`,
    );
  }
}

async function get([input = '']: string[]): Promise<void> {
  const name = settingName(input);
  const setting = (await readSettings()).find((each) => each.name === name);
  if (!setting) return;
  printLine(`${formatCurrent(setting.value)}  [${describeSource(setting)}]`);
  printLine(`${setting.label}: ${setting.about}`);
  printLine(`Default: ${formatCurrent(setting.fallback)}`);
}

function readValue(name: string, words: string[]): unknown {
  const definition = knownDefinition(settingName(name));
  if (words.length === 0) throw new SettingsError([`Add a value for ${name}.`]);
  if (isListSetting(definition)) return words;
  if (words.length > 1)
    throw new SettingsError([`${name} takes one value. If it has spaces, put it in quotes.`]);
  return readSettingText(definition, words[0] ?? '');
}

async function change(patch: Record<string, unknown>): Promise<void> {
  const number = await changeSettings({ actor: actor(), patch });
  printLine(
    number === null
      ? 'Nothing changed: the settings already have these values.'
      : `Saved as change ${number}. To undo it: npm run settings -- undo`,
  );
}

function set([name = '', ...words]: string[]): Promise<void> {
  return change({ [name]: readValue(name, words) });
}

function unset(names: string[]): Promise<void> {
  if (names.length === 0) throw new SettingsError(['Add the name of a setting.']);
  return change(Object.fromEntries(names.map((name) => [name, null])));
}

async function history([name]: string[]): Promise<void> {
  const changes = await settingsHistory(name === undefined ? {} : { name });
  if (changes.length === 0) printLine('No changes yet.');
  for (const { change, at, actor: changedBy, undoes, values } of changes) {
    printLine(`${change}  ${formatMinute(at)}  ${changedBy}${undoes === null ? '' : `  undoes ${undoes}`}`);
    for (const each of values)
      printLine(`   ${each.name}: ${formatValue(each.before)} -> ${formatValue(each.after)}`);
  }
}

async function undo([number]: string[]): Promise<void> {
  if (number !== undefined && !/^\d{1,9}$/.test(number))
    throw new SettingsError([`"${number}" is not a change number. To see them: npm run settings -- history`]);
  const done = await undoSettings({
    actor: actor(),
    ...(number !== undefined && { change: Number(number) }),
  });
  if (!done) return;
  const { undone, kept } = done;
  printLine(`Undid change ${undone}.`);
  if (kept.length > 0) printLine(`Kept, because they changed again since then: ${kept.join(', ')}.`);
}

function readPatch(file: string): Record<string, unknown> {
  try {
    if (statSync(file).size > MAX_FILE_BYTES)
      throw new SettingsError([`${file} is too large for a settings file.`]);
    const patch: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof patch === 'object' && patch !== null && !Array.isArray(patch))
      return patch as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError([`Can't read ${file} as JSON: ${(error as Error).message}`]);
  }
  throw new SettingsError([`${file} must contain a JSON object of setting names and values.`]);
}

async function exportJson(): Promise<void> {
  process.stdout.write(`${JSON.stringify(await exportSettings(), null, 2)}\n`);
}

const commands: Record<string, (words: string[]) => Promise<void>> = {
  list,
  get,
  set: async (words) => set(words),
  unset: async (words) => unset(words),
  history,
  undo,
  export: exportJson,
  import: async ([file = '']) => change(readPatch(file)),
};

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [name = 'list', ...words] = positionals;
  if (values.help || name === 'help') return void printLine(help);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new SettingsError([help]);
  await runCommand(() => command(words));
}

await reportCommandError(main(process.argv.slice(2)), SettingsError);
