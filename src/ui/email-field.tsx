import type { ComponentProps } from 'react';
import { m } from '#messages';
import { Field } from './field.tsx';

type EmailFieldProps = ComponentProps<'input'> & { id: string; error?: string | undefined };

export const EmailField = ({ id, error, ...rest }: EmailFieldProps) => (
  <Field id={id} label={m.common_email()} error={error}>
    {(control) => (
      <input
        {...control}
        className="input"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        spellCheck={false}
        maxLength={254}
        required
        {...rest}
      />
    )}
  </Field>
);
