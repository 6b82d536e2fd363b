import { type ReactNode, useId } from 'react';
import { m } from '#messages';

/** What ties a control to its label, hint and error. */
export interface FieldControl {
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
  /** What is wrong, in words; read out as it comes. */
  error?: string | null | undefined;
  /** Characters that fit; the hint counts them, on a page without React by the enhancement module. */
  counter?: { length: number; most: number; enhanced?: boolean };
  className?: string;
  children: (control: FieldControl) => ReactNode;
}

/** How many of the characters that fit are typed. */
const countText = (length: number, most: number) =>
  length > 0 ? m.field_count({ length, most }) : m.field_most({ most });

/** A labelled control with its hint and what is wrong with it. */
export function Field({ id, label, optional, hint, error, counter, className = '', children }: FieldProps) {
  const made = useId();
  const own = id ?? made;
  const below = hint ?? (counter && countText(counter.length, counter.most));
  const described = [error && `${own}-error`, below && `${own}-hint`].filter(Boolean).join(' ');
  return (
    <div className={`field ${className}`.trim()}>
      <label className="label" htmlFor={own}>
        {label}
        {optional ? <span className="muted font-normal"> {m.field_optional()}</span> : null}
      </label>
      {children({
        id: own,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
        ...(counter?.enhanced ? { 'data-most': String(counter.most) } : {}),
      })}
      {error ? (
        <p className="field-error" id={`${own}-error`} role="alert">
          {error}
        </p>
      ) : null}
      {below ? (
        <p className="hint" id={`${own}-hint`}>
          {below}
        </p>
      ) : null}
    </div>
  );
}
