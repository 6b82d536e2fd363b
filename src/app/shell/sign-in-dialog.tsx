import { X } from 'lucide-react';
import { Slot } from './slot.tsx';

/** A line that the enhancement module fills and shows. */
function Line({ name, className }: { name: string; className: string }) {
  const role = name === 'message' ? 'status' : undefined;
  return <Slot as="p" data-line={name} className={className} role={role} hidden />;
}

function EmailForm() {
  return (
    <form className="grid gap-3" data-form="email">
      <div className="field">
        <label className="label" htmlFor="dialog-email">
          Email
        </label>
        <input
          className="input"
          id="dialog-email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
        />
      </div>
      <button className="btn btn-primary btn-lg" type="submit" disabled suppressHydrationWarning>
        Send Magic Link
      </button>
    </form>
  );
}

function CodeForm() {
  return (
    <form className="grid gap-3 border-t border-line pt-4" data-form="code" hidden suppressHydrationWarning>
      <div className="field">
        <label className="label" htmlFor="dialog-code">
          6-digit code
        </label>
        <p className="hint" id="dialog-code-hint">
          From the same mail, if you read it on another device.
        </p>
        <input
          className="input input-code"
          id="dialog-code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          aria-describedby="dialog-code-hint"
          pattern="\s*\d{3}\s?\d{3}\s*"
          title="The 6 digits of the mail"
          maxLength={12}
        />
      </div>
      <button className="btn btn-secondary btn-lg" type="submit" disabled suppressHydrationWarning>
        Sign in with the code
      </button>
    </form>
  );
}

/**
 * In the markup of every page; the enhancement module opens it from any `data-sign-in` element and from the event
 * `sign-in:open`. Without scripts those links lead to /sign-in, which does the same.
 */
export function SignInDialog() {
  return (
    <dialog id="sign-in" className="dialog" aria-labelledby="sign-in-title" closedby="any">
      <div className="dialog-head">
        <h2 className="h3" id="sign-in-title">
          Sign in
        </h2>
        <form method="dialog">
          <button type="submit" className="btn btn-ghost btn-icon" aria-label="Close">
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </form>
      </div>
      <div className="dialog-body grid gap-4">
        <Line name="reason" className="text-sm" />
        <p className="muted text-sm">We mail you a link and a code. No password.</p>
        <EmailForm />
        <Line name="message" className="notice" />
        <CodeForm />
      </div>
    </dialog>
  );
}
