import { type FormEvent, useEffect, useId, useRef } from 'react';
import { documentLimits } from '../../contract.ts';

interface PasswordFormProps {
  /** What is asked for, or what was wrong with the password before. */
  text: string;
  wrong: boolean;
  onPassword: (password: string) => void;
}

/** Asks for the password of a protected PDF. */
export function PasswordForm({ text, wrong, onPassword }: PasswordFormProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // Asked again, the old one is not in the way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each question anew
  useEffect(() => {
    if (field.current) field.current.value = '';
    field.current?.focus();
  }, [text, wrong]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const password = field.current?.value ?? '';
    if (password !== '') onPassword(password);
  };
  return (
    <form className="field" onSubmit={submit}>
      <label className="label" htmlFor={id}>
        Password of this PDF
      </label>
      <div className="row">
        <input
          ref={field}
          id={id}
          className="input"
          type="password"
          autoComplete="off"
          maxLength={documentLimits.password}
          aria-describedby={`${id}-hint`}
          aria-invalid={wrong || undefined}
        />
        <button type="submit" className="btn btn-primary">
          Open
        </button>
      </div>
      <p className="hint" id={`${id}-hint`} role={wrong ? 'alert' : undefined}>
        {text}
      </p>
    </form>
  );
}
