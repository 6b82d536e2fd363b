import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Field } from '#ui/field.tsx';
import { type Instructions, instructionLength } from '../../instructions/instructions-contract.ts';
import { saveInstructions } from './settings-api.ts';
import { ErrorLine, SettingsSection } from './settings-section.tsx';

const HEADING = 'settings-instructions';
const fields = [
  { name: 'about', label: m.instructions_about },
  { name: 'answers', label: m.instructions_answers },
] as const;

const isSame = (one: Instructions, other: Instructions) =>
  one.about.trim() === other.about && one.answers.trim() === other.answers && one.enabled === other.enabled;

export function InstructionsSection({ first }: { first: Instructions }) {
  const [saved, setSaved] = useLoadedState(first);
  const [typed, setTyped] = useState(first);
  const [tooLong, setTooLong] = useState(false);
  const { busy, error, change } = useMutation(HEADING);
  const form = useRef<HTMLFormElement>(null);
  // Keeps text that was typed before hydration.
  useEffect(() => {
    const data = form.current && new FormData(form.current);
    if (!data) return;
    const [about, answers] = [String(data.get('about')), String(data.get('answers'))];
    setTyped(({ enabled }) => ({ about, answers, enabled }));
  }, []);
  const unchanged = isSame(typed, saved);
  const isTooLong = (name: 'about' | 'answers') => typed[name].trim().length > instructionLength;

  function save(event: FormEvent) {
    event.preventDefault();
    if (busy || unchanged) return;
    const invalid = fields.find(({ name }) => isTooLong(name));
    setTooLong(invalid !== undefined);
    if (invalid) return form.current?.querySelector<HTMLElement>(`[name=${invalid.name}]`)?.focus();
    void change({
      key: 'instructions',
      work: () => saveInstructions(typed),
      apply(now) {
        // The button is disabled once there is nothing to save, and would lose the focus.
        document.getElementById(HEADING)?.focus();
        setSaved(now);
        setTyped(now);
      },
      done: m.instructions_saved(),
    });
  }

  return (
    <SettingsSection id={HEADING} title={m.instructions_title()} about={m.instructions_text()}>
      <form ref={form} className="grid gap-5" onSubmit={save} noValidate>
        {fields.map(({ name, label }) => (
          <Field
            key={name}
            label={label()}
            error={tooLong && isTooLong(name) ? m.instructions_too_long({ most: instructionLength }) : null}
            counter={{ length: typed[name].trim().length, max: instructionLength }}
          >
            {(control) => (
              <textarea
                {...control}
                className="input min-h-28"
                name={name}
                rows={4}
                dir="auto"
                autoComplete="off"
                value={typed[name]}
                onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, [name]: value }))}
              />
            )}
          </Field>
        ))}
        <Checkbox checked={typed.enabled} onChange={(on) => setTyped((now) => ({ ...now, enabled: on }))}>
          {m.instructions_enabled()}
        </Checkbox>
        <ErrorLine text={error} />
        <Button
          variant="primary"
          className="min-h-11 justify-self-start"
          type="submit"
          disabled={unchanged}
          aria-busy={busy !== null}
        >
          {m.instructions_save()}
        </Button>
      </form>
    </SettingsSection>
  );
}
