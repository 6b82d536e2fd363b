interface FieldError {
  /** Shown below the field and tied to it. */
  error?: string | undefined;
}

function ErrorText({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p id={id} className="notice notice-danger" role="alert">
      {text}
    </p>
  ) : null;
}

/** Asks for the address and sends the link; works without JavaScript. */
export function EmailForm({ next, email, error }: { next: string | null; email?: string } & FieldError) {
  return (
    <form className="grid gap-4" method="post" action="/sign-in">
      <input type="hidden" name="intent" value="email" />
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <div className="field">
        <label className="label" htmlFor="sign-in-email">
          Email
        </label>
        <input
          className="input"
          id="sign-in-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
          maxLength={254}
          required
          defaultValue={email}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'sign-in-email-error' : undefined}
        />
        <ErrorText id="sign-in-email-error" text={error} />
      </div>
      <button className="btn btn-primary btn-lg" type="submit">
        Send Magic Link
      </button>
    </form>
  );
}

/** Takes the six digits of the mail, for when it is read on another device; works without JavaScript. */
export function CodeForm({ next, email, error }: { next: string | null; email: string } & FieldError) {
  return (
    <form className="grid gap-4" method="post" action="/sign-in">
      <input type="hidden" name="intent" value="code" />
      <input type="hidden" name="email" value={email} />
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <div className="field">
        <label className="label" htmlFor="sign-in-code">
          6-digit code
        </label>
        <input
          className="input input-code"
          id="sign-in-code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*\d{3}\s?\d{3}\s*"
          title="The 6 digits of the mail"
          maxLength={12}
          required
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'sign-in-code-error' : undefined}
        />
        <ErrorText id="sign-in-code-error" text={error} />
      </div>
      <button className="btn btn-primary btn-lg" type="submit">
        Sign in with the code
      </button>
    </form>
  );
}
