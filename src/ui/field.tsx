import { type ReactNode, useId } from 'react';
import { m } from '#messages';

interface FieldControl {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  'data-most'?: string | undefined;
}

interface FieldProps {
  id?: string;
  label: ReactNode;
  optional?: boolean;
  hint?: ReactNode;
  /** Announced by screen readers when it appears. */
  error?: string | null | undefined;
  /** The hint counts the characters. `enhanced`: the enhancement module updates it on a page without React. */
  counter?: { length: number; max: number; enhanced?: boolean };
  className?: string;
  children: (control: FieldControl) => ReactNode;
}

const countText = (length: number, most: number) =>
  length > 0 ? m.field_count({ length, most }) : m.field_most({ most });

export function Field({ id, label, optional, hint, error, counter, className = '', children }: FieldProps) {
  const generatedId = useId();
  const fieldId = id ?? generatedId;
  const hintText = hint ?? (counter && countText(counter.length, counter.max));
  const descriptions = [error && `${fieldId}-error`, hintText && `${fieldId}-hint`].filter(Boolean).join(' ');
  return (
    <div className={`field ${className}`.trim()}>
      <label className="label" htmlFor={fieldId}>
        {label}
        {optional ? <span className="muted font-normal"> {m.field_optional()}</span> : null}
      </label>
      {children({
        id: fieldId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': descriptions || undefined,
        ...(counter?.enhanced ? { 'data-most': String(counter.max) } : {}),
      })}
      {error ? (
        <p className="field-error" id={`${fieldId}-error`} role="alert">
          {error}
        </p>
      ) : null}
      {hintText ? (
        <p className="hint" id={`${fieldId}-hint`}>
          {hintText}
        </p>
      ) : null}
    </div>
  );
}
