import { useEffect } from 'react';
import { type PersistedForm, usePersistedForm } from '#client/persisted-form.ts';
import { local } from '#client/storage.ts';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { priceLabel } from '#features/credits/web/price-label.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import { RadioField } from '#features/tools/web/radio-field.tsx';
import { ToolForm } from '#features/tools/web/tool-form.tsx';
import { m } from '#messages';
import { consentKey, readConsent } from '#shared/consent.ts';
import {
  defaultSettings,
  formatRange,
  type Length,
  lengthFor,
  lengths,
  rangeOf,
  requestedLength,
  requestedLengths,
  textTypes,
  toneNames,
  tones,
  typeNames,
  type WriterSettings,
  writerLimits,
} from '../contract.ts';
import type { WriterRuns } from './use-writer-runs.ts';

type LastSettings = Omit<WriterSettings, 'prompt'>;

const lastKey = 'functional:writer';

/** They are stored only if the visitor consents. */
function readLastSettings(): LastSettings | null {
  try {
    const stored = JSON.parse(local.getItem(lastKey) ?? 'null') as Partial<LastSettings> | null;
    const type = textTypes.find((each) => each === stored?.type);
    const tone = tones.find((each) => each === stored?.tone);
    const length = lengths.find((each) => each === stored?.length);
    return type && tone && length ? { type, tone, length } : null;
  } catch {
    return null;
  }
}

function saveLastSettings({ type, tone, length }: LastSettings): void {
  if (readConsent(local.getItem(consentKey))?.functional)
    local.setItem(lastKey, JSON.stringify({ type, tone, length }));
}

const settingNames = ['type', 'tone', 'length'] as const;

/** A new text starts with the settings of the last one, unless others were already chosen. */
export function useWriterSettings(work: TextDetail | null, me: Me | null): PersistedForm<WriterSettings> {
  const requested = work?.version.settings as Partial<WriterSettings> | undefined;
  const form = usePersistedForm<WriterSettings>(
    work ? `writer:${work.id}` : 'writer',
    { ...defaultSettings, prompt: '', ...requested },
    me?.id ?? null,
  );
  const { values, change, ready } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the stored form has been read
  useEffect(() => {
    const untouched =
      values.prompt === '' && settingNames.every((each) => values[each] === defaultSettings[each]);
    const last = ready && !work && untouched ? readLastSettings() : null;
    if (last) change(last);
  }, [ready]);
  return { ...form, values: { ...values, length: requestedLength(values) } };
}

interface ChoiceFieldProps<T extends string> {
  label: string;
  names: Record<T, () => string>;
  value: T;
  onChange: (value: T) => void;
}

function ChoiceField<T extends string>({ label, names, value, onChange }: ChoiceFieldProps<T>) {
  const options = Object.keys(names) as T[];
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        className="select lg:ps-2.5 lg:text-sm"
        value={value}
        onChange={(event) => {
          const chosen = options.find((each) => each === event.target.value);
          if (chosen) onChange(chosen);
        }}
      >
        {options.map((each) => (
          <option key={each} value={each}>
            {names[each]()}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Without a prompt, assumes a text in the language of the page. */
const rangeFor = (length: Length, prompt: string) =>
  formatRange(rangeOf(length, lengthFor(prompt.trim() || m.writer_length(), '')));

const lengthOptions = (prompt: string) =>
  lengths.map((value) => ({
    value,
    content: (
      <span className="choice-text grid-cols-[1fr_auto] items-baseline">
        <span className="font-semibold">{requestedLengths[value].name()}</span>
        <span className="fine">{rangeFor(value, prompt)}</span>
      </span>
    ),
  }));

interface LengthFieldProps {
  value: Length;
  /** Determines the language of the text. */
  prompt: string;
  onChange: (length: Length) => void;
}

function LengthField({ value, prompt, onChange }: LengthFieldProps) {
  return (
    <RadioField
      legend={m.writer_length()}
      name="length"
      options={lengthOptions(prompt)}
      value={value}
      onChange={onChange}
      classes={{ list: 'grid gap-2', option: 'choice px-3 py-2' }}
    />
  );
}

interface WriterFormProps {
  me: Me | null;
  form: PersistedForm<WriterSettings>;
  runs: WriterRuns;
  hasText: boolean;
  onGenerate: (settings: WriterSettings) => void;
  onUpgrade: () => void;
}

export function WriterForm({ me, form, runs, hasText, onGenerate, onUpgrade }: WriterFormProps) {
  const { values, change } = form;
  const { writing, rewriting, idle } = runs;
  const prompt = values.prompt.trim();
  const generate = () => {
    if (prompt === '' || !idle) return;
    saveLastSettings(values);
    onGenerate({ ...values, prompt });
  };
  return (
    <ToolForm
      label={m.writer_form()}
      me={me}
      price={m.writer_price({ count: featureTable.writer.price })}
      onUpgrade={onUpgrade}
      onSubmit={generate}
      run={{
        label: priceLabel(hasText ? m.tools_generate_again() : m.tools_generate(), me, 'writer'),
        blocked: rewriting.busy ? m.writer_blocked_suggestion() : prompt === '' && m.writer_blank(),
        hint: rangeFor(values.length, prompt),
        phase: writing.phase,
        onStop: writing.stop,
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={m.writer_type()}
          names={typeNames}
          value={values.type}
          onChange={(type) => change({ type })}
        />
        <ChoiceField
          label={m.writer_tone()}
          names={toneNames}
          value={values.tone}
          onChange={(tone) => change({ tone })}
        />
      </div>
      <LengthField value={values.length} prompt={values.prompt} onChange={(length) => change({ length })} />
      <label className="field">
        <span className="label">{m.common_prompt()}</span>
        <textarea
          className="textarea field-sizing-content max-h-96 min-h-40"
          dir="auto"
          value={values.prompt}
          rows={6}
          maxLength={writerLimits.prompt}
          placeholder={m.writer_prompt_placeholder()}
          onChange={(event) => change({ prompt: event.target.value })}
        />
      </label>
    </ToolForm>
  );
}
