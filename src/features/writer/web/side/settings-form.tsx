import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type KeptForm, useKeptForm } from '../../../../client/kept-form.ts';
import type { Me } from '../../../accounts/contract.ts';
import { priced } from '../../../credits/web/price.ts';
import type { RunPhase } from '../../../generations/web/use-run.ts';
import {
  defaultSettings,
  inWords,
  type Length,
  toneNames,
  typeNames,
  type WriterSettings,
  wordRanges,
  writerLimits,
  writerTexts,
} from '../../contract.ts';
import { ChoiceField, Go, LengthField } from './fields.tsx';
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
  /** The text that is open was begun on this page. */
  began: boolean;
  onGenerate: (settings: WriterSettings, forget: () => void) => void;
  onStop: () => void;
  onLength: (length: Length) => void;
}

const settingNames = ['type', 'tone', 'length'] as const;

/** The values of the form: a new text begins with the settings of the last one, unless others are chosen already. */
function useSettings({ me, workId, asked }: SettingsFormProps): KeptForm<WriterSettings> {
  const initial: WriterSettings = { ...defaultSettings, prompt: '', ...asked };
  const name = workId ? `writer:${workId}` : 'writer';
  const form = useKeptForm(name, initial, me?.id ?? null);
  const { values, change, ready } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when what was kept is known
  useEffect(() => {
    const untouched =
      values.prompt === '' && settingNames.every((each) => values[each] === defaultSettings[each]);
    const last = ready && workId === null && untouched ? readRemembered() : null;
    if (last) change(last);
  }, [ready]);
  // What another version of the site kept may name a length that there is none of.
  const length = Object.hasOwn(wordRanges, values.length) ? values.length : defaultSettings.length;
  return { ...form, values: { ...values, length } };
}

/** What a text is asked to be. What is typed is kept; Control+Enter generates. */
export function SettingsForm(props: SettingsFormProps) {
  const { me, workId, phase, writing, began, onGenerate, onStop, onLength } = props;
  const { values, change, forget } = useSettings(props);
  const button = useRef<HTMLButtonElement>(null);
  const blank = values.prompt.trim() === '';
  const running = phase !== 'idle';
  const stops = running && writing;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page shows the range of what is chosen
  useEffect(() => onLength(values.length), [values.length]);
  // The form of a text that has just got its address takes the place of that of a new one, maybe after its run's end.
  const arrives = useRef(began && workId !== null);
  useEffect(() => {
    const lost = document.activeElement === document.body;
    if ((running || arrives.current) && lost) button.current?.focus({ preventScroll: true });
    arrives.current = false;
  }, [running]);
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
  const label = stops
    ? phase === 'stopping'
      ? 'Stopping…'
      : 'Stop'
    : priced(workId ? 'Generate again' : 'Generate', me, 'writer');
  const ready = (
    <>
      {inWords(wordRanges[values.length])}.<span className="writer-hint-key"> Ctrl+Enter generates.</span>
    </>
  );
  return (
    <form
      className="writer-form"
      aria-label="What to write"
      onSubmit={(event) => {
        event.preventDefault();
        if (stops) onStop();
        else generate();
      }}
    >
      <div className="writer-pair">
        <ChoiceField
          label="Type"
          names={typeNames}
          value={values.type}
          onChange={(type) => change({ type })}
        />
        <ChoiceField
          label="Tone"
          names={toneNames}
          value={values.tone}
          onChange={(tone) => change({ tone })}
        />
      </div>
      <LengthField value={values.length} onChange={(length) => change({ length })} />
      <label className="field">
        <span className="label">Prompt</span>
        <textarea
          className="textarea writer-prompt"
          dir="auto"
          value={values.prompt}
          rows={6}
          maxLength={writerLimits.prompt}
          placeholder="Who is it for, and what should it say?"
          onChange={(event) => change({ prompt: event.target.value })}
          onKeyDown={onKeyDown}
        />
      </label>
      <Go
        label={label}
        hint={stops ? 'What has arrived is kept.' : blank ? writerTexts.blankPrompt : ready}
        disabled={running ? !writing || phase === 'stopping' : blank}
        stops={stops}
        buttonRef={button}
      />
    </form>
  );
}
