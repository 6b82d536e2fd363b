import type { SettingView } from '#platform/settings/change-settings.server.ts';
import { isListSetting, settingText } from '#platform/settings/setting-kinds.server.ts';
import { Field } from '#ui/field.tsx';
import { Time } from '../cells.tsx';
import { displayText, type EnteredSetting, fieldNames } from './settings-form.server.ts';

interface SettingFieldProps {
  setting: SettingView;
  entered?: EnteredSetting | undefined;
  error?: string | undefined;
}

/** Texts that may have more characters than this get a textarea. */
const MAX_INPUT_LENGTH = 300;

const formatNumber = (value: number) => value.toLocaleString('en');

function describeLimits({ kind, min, max, unit }: SettingView): string | null {
  if (kind === 'number' && min !== undefined && max !== undefined)
    return `${formatNumber(min)} to ${formatNumber(max)} ${unit}.`;
  if (isListSetting({ kind })) return `Up to ${max} lines.`;
  if (kind === 'color') return 'A hex color such as #1a7f37.';
  return max ? `Up to ${formatNumber(max)} characters.` : null;
}

function Source({ setting }: { setting: SettingView }) {
  const { name, label, source, variable, changed, fallback } = setting;
  const fallbackText = <span className="wrap-anywhere">{displayText(setting, fallback)}</span>;
  return (
    <>
      {source === 'default' ? (
        <>Using the default: {fallbackText}.</>
      ) : source === 'environment' ? (
        <>
          Set by the variable {variable}: {fallbackText}.
        </>
      ) : (
        <>
          Default: {fallbackText}. Set by {changed?.actor}, <Time at={changed?.at ?? null} /> UTC.
        </>
      )}{' '}
      {changed ? (
        <a className="link" href={`/admin/settings/history?setting=${encodeURIComponent(name)}`}>
          History<span className="visually-hidden"> of {label}</span>
        </a>
      ) : null}
    </>
  );
}

function Hint({ setting }: { setting: SettingView }) {
  const { about, isMissing, problem } = setting;
  return (
    <>
      {about} {describeLimits(setting)}
      <span className="block">
        <Source setting={setting} />
      </span>
      {isMissing ? (
        <strong className="block">Off for now: something it needs is missing. See Health.</strong>
      ) : null}
      {problem ? (
        <strong className="block">The stored value {problem}; the value above is used instead.</strong>
      ) : null}
    </>
  );
}

/** An SVG, because the page's policy forbids inline styles. */
function Swatch({ value }: { value: string }) {
  return /^#[0-9a-f]{6}$/i.test(value) ? (
    <svg className="size-11 flex-none rounded-md border border-line" viewBox="0 0 1 1" aria-hidden="true">
      <rect width="1" height="1" fill={value} />
    </svg>
  ) : null;
}

export function SettingField({ setting, entered, error }: SettingFieldProps) {
  const { name, label, kind, value, source, max = 0, changed, problem } = setting;
  const keys = fieldNames(name);
  const current = settingText(value);
  // Unedited fields show the current value, which may have changed since the form was loaded.
  const text = entered && entered.text !== entered.original ? entered.text : current;
  const isShort = kind === 'number' || kind === 'flag' || kind === 'color';
  return (
    <div className={`grid gap-2 ${isShort ? '' : 'max-w-lg md:col-span-2'}`}>
      <Field
        label={label}
        error={error && `${label} ${error}.`}
        hint={<Hint setting={setting} />}
        id={`field-${name}`}
      >
        {(control) => {
          const fieldProps = { ...control, name: keys.text };
          if (kind === 'flag')
            return (
              <select {...fieldProps} className="select max-w-40" defaultValue={text}>
                <option value="true">On</option>
                <option value="false">Off</option>
              </select>
            );
          if (isListSetting({ kind }) || (kind === 'text' && max > MAX_INPUT_LENGTH))
            return (
              <textarea
                {...fieldProps}
                className="textarea"
                rows={isListSetting({ kind }) ? 4 : 2}
                defaultValue={text}
                spellCheck={kind !== 'models'}
              />
            );
          if (kind === 'color')
            return (
              <span className="flex gap-2">
                <input {...fieldProps} className="input max-w-40" defaultValue={text} spellCheck={false} />
                <Swatch value={text} />
              </span>
            );
          return (
            <input
              {...fieldProps}
              className={`input ${kind === 'number' ? 'max-w-40' : ''}`}
              inputMode={kind === 'number' ? 'decimal' : kind === 'email' ? 'email' : undefined}
              defaultValue={text}
              autoComplete="off"
            />
          );
        }}
      </Field>
      <input type="hidden" name={keys.original} value={current} />
      {source === 'stored' || (changed && problem) ? (
        <label className="flex min-h-(--hit) items-center gap-2 text-sm">
          <input type="checkbox" name={keys.toDefault} defaultChecked={entered?.toDefault} />
          Reset<span className="visually-hidden"> {label}</span> to default
        </label>
      ) : null}
    </div>
  );
}
