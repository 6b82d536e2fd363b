import { randomUUID } from 'node:crypto';
import type { ReactNode } from 'react';
import { Button, buttonClass } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';

/** An idempotency key, new on each page load: a form that is sent twice acts once. */
export function PressField() {
  return <input type="hidden" name="press" value={randomUUID()} />;
}

interface ActionFormProps {
  /** Label of the button that opens the form. */
  name: string;
  action: string;
  /** Explains what the action does and whether it can be undone. */
  description?: ReactNode;
  /** Label of the submit button. */
  verb: string;
  danger?: boolean;
  reason?: boolean;
  children?: ReactNode;
}

/** An action with two steps: open the form, then submit it. Only one such form on a page is open at a time. */
export function ActionForm({
  name,
  action,
  description,
  verb,
  danger,
  reason = true,
  children,
}: ActionFormProps) {
  return (
    <details className="open:basis-full" name="act">
      <summary
        className={buttonClass({ className: `cursor-pointer list-none ${danger ? 'text-danger' : ''}` })}
      >
        {name}
      </summary>
      <form method="post" action={action} className="card mt-3 grid max-w-lg gap-4">
        <PressField />
        {description ? <p className="text-sm">{description}</p> : null}
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
          <Button variant={danger ? 'danger' : 'primary'} type="submit">
            {verb}
          </Button>
        </div>
      </form>
    </details>
  );
}
