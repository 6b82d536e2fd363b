import { Drama, Eye, Heart, Laugh, type LucideIcon, Zap } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { KeptForm } from '../../../../client/kept-form.ts';
import { scriptLimits, scriptMinutes, scriptStyles, scriptTexts } from '../../contract.ts';

/** The values of the form, as they are kept; minutes are '' where the length is left open. */
export interface FormValues {
  scene: string;
  style: string;
  minutes: string;
  characters: string;
}

export const emptyForm: FormValues = { scene: '', style: '', minutes: '', characters: '' };

const icons: Record<(typeof scriptStyles)[number]['icon'], LucideIcon> = {
  heart: Heart,
  laugh: Laugh,
  eye: Eye,
  drama: Drama,
  zap: Zap,
};

interface ScriptFormProps {
  form: KeptForm<FormValues>;
  /** Called with whole values only. */
  onSubmit: (values: FormValues) => void;
  /** The button at the end, or what stands for it while a script is written. */
  children: ReactNode;
}

type Problem = { field: 'scene' | 'style'; text: string } | null;

interface FieldProps {
  form: KeptForm<FormValues>;
  problem: string | null;
}

function Styles({ form, problem }: FieldProps) {
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={problem ? id : undefined}>
      <legend className="label">Style</legend>
      <div className="script-styles">
        {scriptStyles.map(({ value, label, icon }) => {
          const Icon = icons[icon];
          return (
            <label key={value} className="choice script-style">
              <input
                type="radio"
                name="style"
                value={value}
                checked={form.values.style === value}
                aria-invalid={problem ? true : undefined}
                onChange={() => form.change({ style: value })}
              />
              <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
              {label}
            </label>
          );
        })}
      </div>
      {problem ? (
        <p className="hint script-problem" id={id} role="alert">
          {problem}
        </p>
      ) : null}
    </fieldset>
  );
}

function Scene({ form: { values, change }, problem }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Scene
      </label>
      <textarea
        id={id}
        name="scene"
        className="textarea"
        dir="auto"
        rows={7}
        maxLength={scriptLimits.sceneLength}
        placeholder="Two clockmakers find that one of their clocks has stopped with the tide."
        value={values.scene}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => change({ scene: event.target.value })}
      />
      {problem ? (
        <p className="hint script-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
}

/** What may be left open. */
function More({ form: { values, change } }: Omit<FieldProps, 'problem'>) {
  const id = useId();
  return (
    <div className="script-more">
      <div className="field">
        <label className="label" htmlFor={`${id}-minutes`}>
          Length
        </label>
        <select
          id={`${id}-minutes`}
          className="select"
          value={values.minutes}
          onChange={(event) => change({ minutes: event.target.value })}
        >
          <option value="">As it comes</option>
          {scriptMinutes.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes === 1 ? '1 minute' : `${minutes} minutes`}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label className="label" htmlFor={`${id}-characters`}>
          Characters <span className="muted font-normal">(optional)</span>
        </label>
        <input
          id={`${id}-characters`}
          type="text"
          className="input"
          dir="auto"
          maxLength={scriptLimits.charactersLength}
          placeholder="Mara, 60; Jon"
          autoComplete="off"
          value={values.characters}
          onChange={(event) => change({ characters: event.target.value })}
        />
      </div>
    </div>
  );
}

/** What is missing in the values, in the specification's words; null when nothing is. */
function missingIn({ scene, style }: FormValues): Problem {
  if (scene.trim() === '') return { field: 'scene', text: scriptTexts.noScene };
  return style === '' ? { field: 'style', text: scriptTexts.noStyle } : null;
}

/** What a script is to be made of: scene and style, and optionally length and characters. Ctrl+Enter submits. */
export function ScriptForm({ form, onSubmit, children }: ScriptFormProps) {
  const [problem, setProblem] = useState<Problem>(null);
  const box = useRef<HTMLFormElement>(null);
  const { values } = form;
  const submit = () => {
    const missing = missingIn(values);
    setProblem(missing);
    if (!missing) return onSubmit(values);
    box.current?.querySelector<HTMLElement>(`[name="${missing.field}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  // A problem goes as soon as it is mended.
  const still = problem?.field === missingIn(values)?.field ? problem : null;
  return (
    <form
      ref={box}
      className="script-form"
      aria-label="Script"
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Scene form={form} problem={still?.field === 'scene' ? still.text : null} />
      <Styles form={form} problem={still?.field === 'style' ? still.text : null} />
      <More form={form} />
      {children}
    </form>
  );
}
