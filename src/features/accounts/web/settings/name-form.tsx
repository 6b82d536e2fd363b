import { type FormEvent, useEffect, useRef, useState } from 'react';
import { notifyAccountChanged } from '#client/page-events.ts';
import { useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { maxNameLength, validName } from '../../users/user-name.ts';
import { rename } from './settings-api.ts';

const FIELD = 'settings-name';

export function NameForm({ name, onSaved }: { name: string; onSaved: (name: string) => void }) {
  const [typed, setTyped] = useState(name);
  const { busy, error, change, setError } = useMutation(FIELD);
  const field = useRef<HTMLInputElement>(null);
  const unchanged = typed.trim() === name;
  // Keeps text that was typed before hydration.
  useEffect(() => setTyped((now) => field.current?.value ?? now), []);

  function save(event: FormEvent) {
    event.preventDefault();
    if (busy || unchanged) return;
    // The button is disabled once there is nothing to save, and would lose the focus.
    field.current?.focus();
    if (validName(typed) === null) return setError(m.settings_name_invalid());
    void change({
      key: 'name',
      work: () => rename(typed),
      apply(saved) {
        setTyped(saved.name);
        onSaved(saved.name);
        notifyAccountChanged({ name: saved.name });
      },
      done: m.settings_name_saved(),
    });
  }

  return (
    <form className="grid gap-3" onSubmit={save} noValidate>
      <Field id={FIELD} label={m.common_name()} error={error}>
        {(control) => (
          <div className="flex flex-wrap gap-3">
            <input
              {...control}
              ref={field}
              className="input flex-1 basis-48"
              name="name"
              autoComplete="name"
              maxLength={maxNameLength * 2}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button
              variant="primary"
              className="min-h-11"
              type="submit"
              disabled={unchanged}
              aria-busy={busy !== null}
            >
              {m.settings_name_save()}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
