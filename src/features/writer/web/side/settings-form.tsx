import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useKeptForm } from '../../../../client/kept-form.ts';
import type { Me } from '../../../accounts/contract.ts';
import { priced } from '../../../credits/web/price.ts';
import type { RunPhase } from '../../../generations/web/use-run.ts';
import {
  defaultSettings,
  inWords,
  type Length,
  lengths,
  type TextType,
  type Tone,
  textTypes,
  toneNames,
  tones,
  typeNames,
  type WriterSettings,
  wordRanges,
  writerLimits,
  writerTexts,
} from '../../contract.ts';
import { readRemembered, remember } from './remembered.ts';

interface SettingsFormProps {
  me: Me | null;
  /** Id of the text whose next version it asks for; null for a new text. */
  workId: string | null;
  /** What the text that is open was asked for. */
  asked: Partial<WriterSettings>;
  phase: RunPhase;
  /** A text is being written, rather than a suggestion. */
  writing: boolean;
  onGenerate: (settings: WriterSettings, forget: () => void) => void;
  onStop: () => void;
  onLength: (length: Length) => void;
}

const isOf = <T extends string>(list: readonly T[], value: string | undefined): value is T =>
  list.some((each) => each === value);

const settingNames = ['type', 'tone', 'length'] as const;

/** What a text is asked to be. What is typed is kept; Control+Enter generates. */
export function SettingsForm({
  me,
  workId,
  asked,
  phase,
  writing,
  onGenerate,
  onStop,
  onLength,
}: SettingsFormProps) {
  const initial = { ...defaultSettings, prompt: '', ...asked };
  const { values, change, forget, ready } = useKeptForm(
    `writer${workId ? `:${workId}` : ''}`,
    initial,
    me?.id ?? null,
  );
  const button = useRef<HTMLButtonElement>(null);
  const why = useId();
  const blank = values.prompt.trim() === '';
  const running = phase !== 'idle';
  const range = wordRanges[isOf(lengths, values.length) ? values.length : defaultSettings.length];

  // biome-ignore lint/correctness/useExhaustiveDependencies: the page shows the range of what is chosen
  useEffect(() => onLength(values.length), [values.length]);
  // The form of a text that has just got its address takes the place of that of a new one.
  useEffect(() => {
    if (running && document.activeElement === document.body) button.current?.focus();
  }, [running]);

  // A new text begins with the settings of the last one, unless others are chosen already.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when what was kept is known
  useEffect(() => {
    const untouched =
      values.prompt === '' && settingNames.every((name) => values[name] === defaultSettings[name]);
    const last = ready && workId === null && untouched ? readRemembered() : null;
    if (last) change(last);
  }, [ready]);

  const generate = () => {
    if (blank || running) return;
    remember(values);
    onGenerate({ ...values, prompt: values.prompt.trim() }, forget);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    generate();
  };
  return (
    <form
      className="writer-form"
      aria-label="What to write"
      onSubmit={(event) => {
        event.preventDefault();
        if (writing && running) onStop();
        else generate();
      }}
    >
      <div className="writer-pair">
        <label className="field">
          <span className="label">Type</span>
          <select
            className="select"
            value={values.type}
            onChange={(event) =>
              isOf(textTypes, event.target.value) && change({ type: event.target.value as TextType })
            }
          >
            {textTypes.map((type) => (
              <option key={type} value={type}>
                {typeNames[type]}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span className="label">Tone</span>
          <select
            className="select"
            value={values.tone}
            onChange={(event) =>
              isOf(tones, event.target.value) && change({ tone: event.target.value as Tone })
            }
          >
            {tones.map((tone) => (
              <option key={tone} value={tone}>
                {toneNames[tone]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset className="field">
        <legend className="label writer-legend">Length</legend>
        <div className="writer-lengths">
          {lengths.map((length) => (
            <label key={length} className="choice writer-length">
              <input
                type="radio"
                name="length"
                value={length}
                checked={values.length === length}
                onChange={() => change({ length })}
              />
              <span className="choice-text">
                <span className="font-semibold">{wordRanges[length].name}</span>
                <span className="fine">{inWords(wordRanges[length])}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <label className="field">
        <span className="label">Prompt</span>
        <textarea
          className="textarea writer-prompt"
          value={values.prompt}
          rows={6}
          maxLength={writerLimits.prompt}
          placeholder="Who is it for, and what should it say?"
          onChange={(event) => change({ prompt: event.target.value })}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="writer-go">
        <button
          ref={button}
          type="submit"
          className={`btn btn-lg ${running && writing ? 'btn-secondary' : 'btn-primary'}`}
          aria-disabled={
            blank && !running ? true : phase === 'stopping' || (running && !writing) ? true : undefined
          }
          aria-describedby={why}
        >
          {running && writing
            ? phase === 'stopping'
              ? 'Stopping…'
              : 'Stop'
            : priced(workId ? 'Generate again' : 'Generate', me, 'writer')}
        </button>
        <p className="fine" id={why}>
          {running && writing
            ? 'What has arrived is kept.'
            : blank
              ? writerTexts.blankPrompt
              : `${inWords(range)}. Ctrl+Enter generates.`}
        </p>
      </div>
    </form>
  );
}
