import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { documentLimits } from '../../contract.ts';

interface PasswordFormProps {
  text: string;
  wrong: boolean;
  onPassword: (password: string) => void;
}

/** Not a `<form>`, because it may be inside one. */
export function PasswordForm({ text, wrong, onPassword }: PasswordFormProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // Clear the old password when asking again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new request
  useEffect(() => {
    if (field.current) field.current.value = '';
    field.current?.focus();
  }, [text, wrong]);
  const submit = () => {
    const password = field.current?.value ?? '';
    if (password !== '') onPassword(password);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    submit();
  };
  return (
    <div className="field w-full">
      <label className="label" htmlFor={id}>
        {m.pdfs_password()}
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
          onKeyDown={onKeyDown}
        />
        <Button variant="primary" onClick={submit}>
          {m.common_open()}
        </Button>
      </div>
      <p className="hint" id={`${id}-hint`} role={wrong ? 'alert' : undefined}>
        {text}
      </p>
    </div>
  );
}
