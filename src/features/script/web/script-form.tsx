import { Drama, Eye, Heart, Laugh, type LucideIcon, Zap } from 'lucide-react';
import { useRef, useState } from 'react';
import type { PersistedForm } from '#client/persisted-form.ts';
import { RadioField } from '#features/tools/web/radio-field.tsx';
import { ToolForm, type ToolFormProps } from '#features/tools/web/tool-form.tsx';
import { m } from '#messages';
import { Field } from '#ui/field.tsx';
import { scriptLimits, scriptMinutes, scriptStyles } from '../contract.ts';

/** `minutes` is '' for any length. */
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

interface ScriptFormProps extends Pick<ToolFormProps, 'me' | 'price' | 'onUpgrade' | 'run'> {
  form: PersistedForm<FormValues>;
  onSubmit: (values: FormValues) => void;
}

type Problem = { field: 'scene' | 'style'; text: string } | null;

interface FieldProps {
  form: PersistedForm<FormValues>;
  problem: string | null;
}

const styleOptions = () =>
  scriptStyles.map(({ value, label, icon }) => {
    const Icon = icons[icon];
    const content = (
      <>
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        {label()}
      </>
    );
    return { value, content };
  });

function Styles({ form, problem }: FieldProps) {
  return (
    <RadioField
      legend={m.script_style()}
      name="style"
      options={styleOptions()}
      value={form.values.style}
      onChange={(style) => form.change({ style })}
      error={problem}
      classes={{
        list: 'grid grid-cols-2 gap-2',
        option: 'choice min-h-(--hit) gap-2 px-3 py-1 text-sm [&_svg]:flex-none [&_svg]:text-fg-muted',
      }}
    />
  );
}

function Scene({ form: { values, change }, problem }: FieldProps) {
  return (
    <Field label={m.script_scene()} error={problem}>
      {(control) => (
        <textarea
          {...control}
          name="scene"
          className="textarea"
          dir="auto"
          rows={5}
          maxLength={scriptLimits.sceneLength}
          placeholder={m.script_scene_placeholder()}
          value={values.scene}
          onChange={(event) => change({ scene: event.target.value })}
        />
      )}
    </Field>
  );
}

function MoreFields({ form: { values, change } }: Omit<FieldProps, 'problem'>) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={m.script_length()}>
        {(control) => (
          <select
            {...control}
            className="select lg:ps-2.5 lg:text-sm"
            value={values.minutes}
            onChange={(event) => change({ minutes: event.target.value })}
          >
            <option value="">{m.script_any_length()}</option>
            {scriptMinutes.map((minutes) => (
              <option key={minutes} value={minutes}>
                {m.script_minutes({ count: minutes })}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={m.script_characters()} optional>
        {(control) => (
          <input
            {...control}
            type="text"
            className="input"
            dir="auto"
            maxLength={scriptLimits.charactersLength}
            placeholder={m.script_characters_placeholder()}
            autoComplete="off"
            value={values.characters}
            onChange={(event) => change({ characters: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

function findMissing({ scene, style }: FormValues): Problem {
  if (scene.trim() === '') return { field: 'scene', text: m.script_no_scene() };
  return style === '' ? { field: 'style', text: m.script_no_style() } : null;
}

export function ScriptForm({ form, onSubmit, ...rest }: ScriptFormProps) {
  const [problem, setProblem] = useState<Problem>(null);
  const box = useRef<HTMLFormElement>(null);
  const { values } = form;
  const submit = () => {
    const missing = findMissing(values);
    setProblem(missing);
    if (!missing) return onSubmit(values);
    box.current?.querySelector<HTMLElement>(`[name="${missing.field}"]`)?.focus();
  };
  const shownProblem = problem?.field === findMissing(values)?.field ? problem : null;
  return (
    <ToolForm label={m.script_form()} formRef={box} onSubmit={submit} {...rest}>
      <Scene form={form} problem={shownProblem?.field === 'scene' ? shownProblem.text : null} />
      <Styles form={form} problem={shownProblem?.field === 'style' ? shownProblem.text : null} />
      <MoreFields form={form} />
    </ToolForm>
  );
}
