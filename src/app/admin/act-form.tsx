import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';

/** A page that is shown again has another: sent twice, it acts once. */
export function PressField() {
  return <input type="hidden" name="press" value={randomUUID()} />;
}

interface ActFormProps {
  /** On the button that opens it. */
  name: string;
  action: string;
  /** What it does, and whether it can be undone. */
  says?: ReactNode;
  /** On the button that does it. */
  verb: string;
  danger?: boolean;
  reason?: boolean;
  children?: ReactNode;
}

/** Two presses: one opens it, one does it. Of those beside each other one is open. */
export function ActForm({ name, action, says, verb, danger, reason = true, children }: ActFormProps) {
  return (
    <details className="open:basis-full" name="act">
      <summary
        className={buttonClass({ className: `cursor-pointer list-none ${danger ? 'text-danger' : ''}` })}
      >
        {name}
      </summary>
      <form method="post" action={action} className="card mt-3 grid max-w-lg gap-4">
        <PressField />
        {says ? <p className="text-sm">{says}</p> : null}
        {children}
        {reason ? (
          <Field
            label="Reason"
            hint="Kept permanently and included in the person’s data archive. Don’t name anyone else."
          >
            {(control) => <input {...control} className="input" name="reason" maxLength={300} required />}
          </Field>
        ) : null}
        <div>
          <Button look={danger ? 'danger' : 'primary'} type="submit">
            {verb}
          </Button>
        </div>
      </form>
    </details>
  );
}
