import { type FormEvent, useEffect, useRef, useState } from 'react';
import { profileTexts } from '../../profile/contract.ts';
import { nameLength, nameOf } from '../../users/contract.ts';
import { rename, tellShell, textOf, toast } from './api.ts';
import { ErrorLine } from './section.tsx';

/** The name, saved on request; what was typed stays when it is refused. */
export function NameForm({ name, onSaved }: { name: string; onSaved: (name: string) => void }) {
  const [typed, setTyped] = useState(name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const unchanged = typed.trim() === name;
  // What was typed before this page answered.
  useEffect(() => setTyped((now) => field.current?.value ?? now), []);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (busy || unchanged) return;
    // The button is disabled as soon as there is nothing to save, and would lose the focus.
    field.current?.focus();
    if (nameOf(typed) === null) return setError(profileTexts.name);
    setBusy(true);
    setError(null);
    try {
      const saved = await rename(typed);
      setTyped(saved.name);
      onSaved(saved.name);
      tellShell({ name: saved.name });
      toast('Name saved.');
    } catch (failure) {
      setError(textOf(failure));
    }
    setBusy(false);
  }

  return (
    <form className="grid gap-3" onSubmit={save} noValidate>
      <div className="field">
        <label className="label" htmlFor="settings-name">
          Name
        </label>
        <div className="flex flex-wrap gap-3">
          <input
            ref={field}
            className="input flex-1 basis-48"
            id="settings-name"
            name="name"
            autoComplete="name"
            maxLength={nameLength * 2}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? 'settings-name-error' : undefined}
          />
          <button className="btn btn-primary min-h-11" type="submit" disabled={unchanged} aria-busy={busy}>
            Save name
          </button>
        </div>
      </div>
      <ErrorLine id="settings-name-error" text={error} />
    </form>
  );
}
