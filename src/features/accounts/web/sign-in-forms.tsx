import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { EmailField } from '#ui/email-field.tsx';
import { Field } from '#ui/field.tsx';
import { CodeInput } from './code-input.tsx';

interface FieldError {
  error?: string | undefined;
}

export function EmailForm({ next, email, error }: { next: string | null; email?: string } & FieldError) {
  return (
    <form className="grid gap-4" method="post" action="/sign-in">
      <input type="hidden" name="intent" value="email" />
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <EmailField id="sign-in-email" error={error} defaultValue={email} />
      <Button variant="primary" size="lg" type="submit">
        {m.sign_in_send_link()}
      </Button>
    </form>
  );
}

export function CodeForm({ next, email, error }: { next: string | null; email: string } & FieldError) {
  return (
    <form className="grid gap-4" method="post" action="/sign-in">
      <input type="hidden" name="intent" value="code" />
      <input type="hidden" name="email" value={email} />
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <Field id="sign-in-code" label={m.sign_in_code()} error={error}>
        {(control) => <CodeInput {...control} required />}
      </Field>
      <Button variant="primary" size="lg" type="submit">
        {m.sign_in_with_code()}
      </Button>
    </form>
  );
}
