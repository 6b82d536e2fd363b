import type { ComponentProps } from 'react';
import { m } from '#messages';

export const CodeInput = (props: ComponentProps<'input'>) => (
  <input
    className="input font-mono text-[length:var(--text-xl)] tracking-[0.3em]"
    type="text"
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    pattern="\s*\d{3}\s?\d{3}\s*"
    title={m.sign_in_code_title()}
    maxLength={12}
    {...props}
  />
);
